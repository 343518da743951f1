// The page Ask: a verdict while a query is typed, and its answer when it is run.

import { editor } from "./editor.js";
import { Refused, post, show } from "./http.js";

const PAUSE = 250; // milliseconds without a key before a verdict is asked for
const LOST = "the server cannot be reached; whether it was charged, History says";

const by = (id) => document.getElementById(id);
const data = document.querySelector("main").dataset.set;
const at = `/ask/${encodeURIComponent(data)}`;
const draft = `dpsql ${data}`;

const page = editor(by("editor"), sessionStorage.getItem(draft) ?? "", {
  changed: later,
  run,
  cancel,
  proposals: (sql, cursor) => post(`${at}/proposals`, { sql, cursor }),
});
const question = () => ({ sql: page.text(), eps: by("eps").value.trim(), cursor: page.cursor() });

// --- the verdict ---------------------------------------------------------------------------------

let timer, looking;

function later() {
  sessionStorage.setItem(draft, page.text());
  clearTimeout(timer);
  timer = setTimeout(look, PAUSE, true);
}

/** Ask for the verdict; of what is still being typed, or not. */
async function look(typing = false) {
  looking?.abort();
  const mine = (looking = new AbortController());
  try {
    const asked = typing ? question() : { ...question(), cursor: "" };
    const found = await post(`${at}/verdict`, asked, mine.signal);
    if (mine.signal.aborted) return;
    say(found.kind, found.words);
    page.mark(found.marks);
    for (const fold of ["reasons", "noise"]) if (by(fold).open) unfold(fold);
  } catch (error) {
    if (error.name !== "AbortError") say("unknown", [words(error)]);
  }
}

function say(kind, every) {
  const shown = by("verdict");
  shown.dataset.kind = kind;
  shown.replaceChildren(
    ...every.map((text) => Object.assign(document.createElement("span"), { textContent: text })),
  );
}

const words = (error) => (error instanceof Refused ? error.message : LOST);

async function unfold(fold) {
  const inner = by(`${fold}-inner`);
  try {
    show(inner, (await post(`${at}/${fold}`, question())).html);
  } catch (error) {
    inner.textContent = words(error);
  }
}

for (const fold of ["reasons", "noise"]) {
  by(fold).addEventListener("toggle", () => by(fold).open && unfold(fold));
}

// --- ε -------------------------------------------------------------------------------------------

by("slider").addEventListener("input", () => {
  by("eps").value = String(Number((10 ** by("slider").value).toPrecision(2)));
  later();
});
by("eps").addEventListener("input", () => {
  const eps = Number(by("eps").value);
  if (eps > 0) by("slider").value = Math.log10(eps);
  later();
});

// --- running it ----------------------------------------------------------------------------------

let running = null; // {id, asked, stopped}: what is being answered

/** An id that no other query has: what the browser sends twice is asked once. */
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function run() {
  if (running || !page.text().trim()) return;
  clearTimeout(timer);
  const mine = (running = { id: newId(), asked: false, stopped: false });
  busy(true);
  progress("asking …");
  by("answer").replaceChildren();
  try {
    const fresh = by("fresh").checked;
    const told = await post(`${at}/run`, { ...question(), id: mine.id, fresh });
    mine.asked = true;
    if (mine.stopped) await post(`${at}/stop`, { id: mine.id });
    await answered(mine, told);
  } catch (error) {
    progress(words(error), true);
  }
  running = null;
  busy(false);
  look();
}

/** Say how far it is, as it was told when it was asked and is told from then on; show the answer. */
async function answered(mine, told) {
  for (const begun = Date.now(); !told.html; told = await further(mine)) {
    const seconds = Math.round((Date.now() - begun) / 1000);
    const state = told.state === "waiting" ? "waiting for its turn" : "running";
    progress(mine.stopped ? "stopping …" : `${state}, ${seconds} s`);
  }
  show(by("answer"), told.html);
  progress("answered");
}

const further = (mine) => post(`${at}/answer`, { id: mine.id }).catch(ifBusy);

/** The query goes on, whatever the server hears now. */
async function ifBusy(error) {
  if (!error.busy) throw error;
  await new Promise((then) => setTimeout(then, 2000));
  return { state: "running" };
}

/** Stop what runs; whether anything did. */
function cancel() {
  if (!running || running.stopped) return false;
  running.stopped = true;
  progress("stopping …");
  if (running.asked) post(`${at}/stop`, { id: running.id }).catch(() => {});
  return true;
}

function busy(is) {
  by("run").disabled = is;
  by("cancel").disabled = !is;
  by("answer").setAttribute("aria-busy", is);
}

function progress(text, wrong = false) {
  by("state").textContent = text;
  by("state").classList.toggle("problem", wrong);
}

by("run").addEventListener("click", run);
by("cancel").addEventListener("click", cancel);
document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented) return;
  if (event.key === "Escape") cancel();
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
});

if (document.activeElement === document.body) page.focus(); // nobody is elsewhere already
look();
