// Small comforts on top of the page: stamps that tick, and an edit that is checked when typing
// pauses. The page works without them.
(() => {
  if (window.countersignConsole) return;
  window.countersignConsole = true;

  const words = (seconds) => {
    const s = Math.max(0, Math.floor(seconds));
    if (s < 60) return `${s} s`;
    if (s < 3600) return `${Math.floor(s / 60)} min`;
    return s < 172800 ? `${Math.floor(s / 3600)} h` : `${Math.floor(s / 86400)} days`;
  };

  setInterval(() => {
    const now = Date.now() / 1000;
    for (const e of document.querySelectorAll("[data-since]"))
      e.textContent = words(now - Number(e.dataset.since));
    for (const e of document.querySelectorAll("[data-until]"))
      e.textContent = words(Number(e.dataset.until) - now);
  }, 1000);

  // A deep link into a long source: bring the passage into view once.
  setInterval(() => {
    const mark = document.querySelector(".cs-doc mark.cs-target:not([data-seen])");
    if (!mark) return;
    mark.dataset.seen = "1";
    mark.scrollIntoView({ block: "center" });
  }, 400);

  // Streamlit hands a text area's value over on Ctrl+Enter; pressing it after a pause saves and
  // checks the edit. Only inside the edit box, where no button listens for that key.
  let timer;
  document.addEventListener("input", (event) => {
    const area = event.target;
    if (!(area instanceof HTMLTextAreaElement) || !area.closest(".st-key-edit-box")) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!area.isConnected) return;
      area.dispatchEvent(
        new KeyboardEvent("keydown", { key: "Enter", code: "Enter", ctrlKey: true, bubbles: true }),
      );
    }, 900);
  });
})();
