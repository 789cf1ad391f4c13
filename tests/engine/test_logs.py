"""The log is private, one JSON object a line, and holds no key."""

import json
import logging
import stat
from pathlib import Path

import pytest

from engine.domain.errors import CannotStart
from engine.domain.faults import redacted
from engine.logs import LOG_NAME, open_log


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


def test_a_log_that_cannot_be_written_says_nothing_on_the_screen(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with open_log(tmp_path):
        logging.getLogger("engine").warning("first")
        (tmp_path / "logs" / LOG_NAME).unlink()
        (tmp_path / "logs" / LOG_NAME).mkdir()
        for handler in logging.getLogger("engine").handlers:
            handler.close()
            handler.stream = None  # type: ignore[attr-defined]  # so that it is opened anew
        logging.getLogger("engine").warning("second")
    assert "Traceback" not in capfd.readouterr().err


def test_a_place_where_no_log_can_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file")
    with pytest.raises(CannotStart, match="logs: no log can be kept here"), open_log(tmp_path):
        pass
