// The page Principals: a new token is shown once, and stands in no page that the server sends.

import { Refused, post } from "./http.js";

const told = document.getElementById("told");
const made = (kind, values) => Object.assign(document.createElement(kind), values);

async function token(name) {
  const days = document.getElementById("days").value;
  const found = await post("/principals/token", { name, days });
  const shown = made("input", { value: found.token, readOnly: true, id: "token" });
  shown.setAttribute("aria-label", `The token of ${name}`);
  const copy = made("button", { type: "button", textContent: "Copy" });
  copy.addEventListener("click", () => navigator.clipboard?.writeText(found.token));
  const words = `The token of ${name}. It is shown now and never again.`;
  told.replaceChildren(made("p", { textContent: words }), shown, copy);
  shown.select();
}

for (const button of document.querySelectorAll("[data-name]")) {
  button.addEventListener("click", () =>
    token(button.dataset.name).catch((error) => {
      told.textContent = error instanceof Refused ? error.message : "the server cannot be reached";
    }),
  );
}
