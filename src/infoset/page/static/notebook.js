/**
 * The application in a cell of a notebook (the module of an anywidget). It is a frame of its own;
 * its requests are passed on to the kernel, and the answers to it.
 */

/** The theme of the notebook, where it says that it is a dark one. */
function isDark({ dataset, classList }) {
  return dataset.jpThemeLight === "false" || classList.contains("vscode-dark");
}

function render({ model, el }) {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts allow-forms allow-popups allow-downloads");
  frame.title = model.get("name");
  frame.style.cssText = `width: 100%; height: ${model.get("height")}px; border: 0`;
  const asked = (event) => {
    if (event.source === frame.contentWindow && event.data?.infoset) model.send(event.data.infoset);
  };
  const answered = (answer, buffers) => {
    const bytes = buffers.length ? new Uint8Array(buffers[0].buffer ?? buffers[0]) : new Uint8Array();
    frame.contentWindow?.postMessage({ infoset: { ...answer, bytes } }, "*");
  };
  window.addEventListener("message", asked);
  model.on("msg:custom", answered);
  const page = model.get("page");
  frame.srcdoc = isDark(document.body) ? page.replace("<html", '<html data-theme="dark"') : page;
  el.append(frame);
  return () => {
    window.removeEventListener("message", asked);
    model.off("msg:custom", answered);
  };
}

export default { render };
