/** Reads the first heading of a page, as plain text. */
export function readTitle(markdown: string): string {
  const heading = /^# (.+)$/m.exec(markdown)?.[1] ?? '';
  return heading.replaceAll(/[`*]|\[([^\]]*)\]\([^)]*\)/g, '$1').trim();
}
