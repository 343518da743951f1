// Requests to this server, and the one place where HTML that it made comes into a page.

const proof = document.querySelector("meta[name=dpsql-proof]").content;
const trusted = window.trustedTypes?.createPolicy("dpsql", { createHTML: (html) => html });

/** The server's own words about what it did not do. */
export class Refused extends Error {
  constructor(told, status) {
    super(told.error.text);
    this.busy = status === 429 && told.error.text.startsWith("too many requests: ");
  }
}

/** What the server says to a form. */
export async function post(path, form, signal) {
  const response = await fetch(path, {
    method: "POST",
    body: new URLSearchParams(form),
    headers: { "x-dpsql-proof": proof },
    credentials: "same-origin",
    signal,
  });
  if (response.status === 401) {
    location.assign("/");
    return new Promise(() => {}); // the page is left
  }
  const told = await response.json();
  if (!response.ok) throw new Refused(told, response.status);
  return told;
}

/** Put the server's HTML, in which all texts are escaped, into an element. */
export function show(element, html) {
  element.innerHTML = trusted ? trusted.createHTML(html) : html;
}
