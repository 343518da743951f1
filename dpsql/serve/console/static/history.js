// The page History: a query back into the editor. It goes by the tab's own memory, and by no address.

const data = document.querySelector("main").dataset.set;

for (const button of document.querySelectorAll("[data-sql]")) {
  button.addEventListener("click", () => {
    sessionStorage.setItem(`dpsql ${data}`, button.dataset.sql);
    location.assign(`/ask/${encodeURIComponent(data)}`);
  });
}
