"""The log is private, one JSON object a line, and holds no key."""

import json
import logging
import stat
from pathlib import Path

import pytest

from engine.logs import LOG_NAME, open_log, redacted


def lines(data_dir: Path) -> list[dict[str, str]]:
    text = (data_dir / "logs" / LOG_NAME).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_each_record_is_a_json_line_in_a_private_file(tmp_path: Path) -> None:
    with open_log(tmp_path):
        logging.getLogger("engine.manager").warning("run %s\nbroke", 7)
    (line,) = lines(tmp_path)
    assert (line["level"], line["logger"]) == ("warning", "engine.manager")
    assert line["message"] == "run 7\nbroke"
    assert line["time"].endswith("Z")
    assert stat.S_IMODE((tmp_path / "logs" / LOG_NAME).stat().st_mode) == 0o600


def test_an_error_is_kept_with_its_traceback_and_without_its_key(tmp_path: Path) -> None:
    with open_log(tmp_path):
        try:
            raise ValueError("refused sk-ant-abcdefgh12345678")
        except ValueError:
            logging.getLogger("engine").exception("it broke")
    (line,) = lines(tmp_path)
    assert "ValueError" in line["error"]
    assert "abcdefgh" not in line["error"]


@pytest.mark.parametrize(
    "secret",
    ["sk-ant-api03-abcdefgh", "Authorization: Bearer abcdefgh123", '"x-api-key": "abcdefgh123"'],
)
def test_what_looks_like_a_key_is_redacted(secret: str) -> None:
    assert "abcdefgh" not in redacted(f"before {secret} after")
    assert redacted(f"before {secret} after").startswith("before ")
