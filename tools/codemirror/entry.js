// What of CodeMirror the console uses.
export { EditorState, Prec } from "@codemirror/state";
export { EditorView, keymap, placeholder } from "@codemirror/view";
export { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
export { autocompletion, closeCompletion, completionKeymap } from "@codemirror/autocomplete";
export { HighlightStyle, bracketMatching, syntaxHighlighting } from "@codemirror/language";
export { setDiagnostics } from "@codemirror/lint";
export { PostgreSQL, sql } from "@codemirror/lang-sql";
export { tags } from "@lezer/highlight";
