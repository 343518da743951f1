// The editor: CodeMirror in a shadow root, whose styles are objects and no <style>, as the page's
// policy wants it.

import {
  EditorState, EditorView, HighlightStyle, PostgreSQL, Prec, autocompletion, bracketMatching,
  closeCompletion, completionKeymap, defaultKeymap, history, historyKeymap, keymap, placeholder, setDiagnostics, sql,
  syntaxHighlighting, tags,
} from "./codemirror.js";

const theme = EditorView.theme({
  "&": { color: "var(--ink)", background: "var(--field)", fontSize: "15px" },
  "&.cm-focused": { outline: "3px solid var(--focus)" },
  ".cm-content": { fontFamily: "ui-monospace, monospace", minHeight: "8em", caretColor: "var(--ink)" },
  ".cm-placeholder": { color: "var(--faint)" },
  ".cm-lintRange-error": {
    backgroundImage: "none", textDecoration: "underline wavy var(--bad)", textUnderlineOffset: "3px",
  },
  ".cm-tooltip": { color: "var(--ink)", background: "var(--field)", border: "1px solid var(--line)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    color: "var(--paper)", background: "var(--accent)",
  },
  ".cm-completionDetail": { opacity: 0.7, fontStyle: "normal" },
  ".cm-diagnostic": { whiteSpace: "pre-wrap", maxWidth: "60ch" },
});

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--word)", fontWeight: "600" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--text)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--number)" },
  { tag: tags.comment, color: "var(--faint)", fontStyle: "italic" },
]);

/**
 * An editor in an element.
 * changed: called after each change; run: for Ctrl-Enter; cancel: for Esc, whether it did anything;
 * proposals: (text, cursor) → what can come there.
 */
export function editor(parent, text, { changed, run, cancel, proposals }) {
  const root = parent.attachShadow({ mode: "open" });
  const source = async (context) => {
    if (!context.explicit && !context.matchBefore(/[\w."']$/)) return null;
    const found = await proposals(context.state.doc.toString(), context.pos).catch(() => []);
    if (context.aborted || !found.length) return null;
    const options = found.map((one, n) => ({ ...one, boost: Math.max(-99, -n) })); // in the server's order
    return { from: found[0].from, options, validFor: /^\w*$/ };
  };
  const asked = (view) => (closeCompletion(view), run(), true);
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        Prec.highest(
          keymap.of([
            { key: "Ctrl-Enter", run: asked },
            { key: "Cmd-Enter", run: asked },
            { key: "Escape", run: cancel }, // where nothing runs, it closes what is offered
          ]),
        ),
        history(),
        bracketMatching(),
        autocompletion({ override: [source], icons: false }),
        keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap]),
        sql({ dialect: PostgreSQL }),
        syntaxHighlighting(colours),
        placeholder("SELECT COUNT(*) FROM …"),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          "aria-label": "Query in SQL; Ctrl-Enter runs it, Esc cancels", spellcheck: "false",
        }),
        EditorView.updateListener.of((update) => update.docChanged && changed()),
        theme,
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    cursor: () => view.state.selection.main.head,
    focus: () => view.focus(),
    /** Underline places: of each its ends and what is wrong there. */
    mark(places) {
      const end = view.state.doc.length;
      const found = places.filter((p) => p.to <= end).map((p) => ({ ...p, severity: "error" }));
      view.dispatch(setDiagnostics(view.state, found));
    },
  };
}
