/** What stands on a thread, as the simulator shows it. */
export interface ShownThread {
  /** `#1`, `!1` */
  readonly reference: string;
  readonly title: string;
  readonly body: string | null;
  readonly labels: readonly string[];
  readonly comments: readonly { readonly author: string | null; readonly body: string }[];
}

/** The thread as a person would see it on the page; hidden HTML comments are hidden here too. */
export function formatThread(thread: ShownThread): string {
  const opening = `${thread.reference} ${thread.title}\nLabels: ${thread.labels.join(', ') || 'none'}\n\n${quote(thread.body ?? '')}`;
  const comments = thread.comments.map(({ author, body }) => `@${author ?? 'ghost'}:\n\n${quote(body)}`);
  return [opening, ...comments].join('\n\n');
}

function quote(text: string): string {
  const visible = text.replace(/<!--[\s\S]*?-->/g, '').trim();
  return visible
    .split('\n')
    .map((line) => `│ ${line}`.trimEnd())
    .join('\n');
}
