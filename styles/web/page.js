// Begins what textual.js draws: with its font there, its socket beside this page, and the keys.
// textual.js has set window.onload, and marks the body -loaded when the socket is open and -closed
// when it has gone.

const beginTerminal = window.onload;
const FONTS = ["15px 'Roboto Mono'", "bold 15px 'Roboto Mono'", "italic 15px 'Roboto Mono'"];

window.onload = async (event) => {
  const address = `ws://${location.host}${location.pathname}ws`;
  document.getElementById("terminal").dataset.sessionWebsocketUrl = address;
  document.getElementById("again").onclick = () => location.reload();
  new MutationObserver(followState).observe(document.body, { attributeFilter: ["class"] });
  await Promise.allSettled(FONTS.map((font) => document.fonts.load(font)));
  beginTerminal(event);
};

function followState() {
  const state = document.body.classList;
  if (state.contains("-closed")) {
    document.getElementById("again").focus();
  } else if (state.contains("-loaded")) {
    document.querySelector(".xterm-helper-textarea").focus();
  }
}
