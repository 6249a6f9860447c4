/** What stands on a thread, as the simulator shows it. */
export interface ShownThread {
  /** `#1`, `!1` */
  readonly reference: string;
  readonly title: string;
  readonly body: string | null;
  readonly labels: readonly string[];
  readonly comments: readonly { readonly author: string | null; readonly body: string }[];
}

/** The thread as a person would see it on the page, without its empty lines; hidden HTML comments are hidden here too. */
export function formatThread({ reference, title, labels, body, comments }: ShownThread): string {
  const opening = [`${reference} ${title}`, `Labels: ${labels.join(', ') || 'none'}`, ...quote(body ?? '')];
  const parts = comments.map((comment) => [`@${comment.author ?? 'ghost'}:`, ...quote(comment.body)]);
  return [opening, ...parts].map((lines) => lines.join('\n')).join('\n\n');
}

function quote(text: string): string[] {
  const lines = text.replace(/<!--[\s\S]*?-->/g, '').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => `│ ${line}`.trimEnd());
}
