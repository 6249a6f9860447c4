/**
 * A name that somebody else chose, as code on one line of Markdown that it cannot leave: with anything but letters, digits
 * and the signs of usual paths it is written as a JSON string.
 */
export function toCodeSpan(name: string): string {
  const shown = /^[\p{L}\p{M}\p{N}_./@+#=,-]+(?: [\p{L}\p{M}\p{N}_./@+#=,-]+)*$/u.test(name)
    ? name
    : toJson(name);
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const isLonely = shown.startsWith('`') || shown.endsWith('`');
  return isLonely ? `${fence} ${shown} ${fence}` : `${fence}${shown}${fence}`;
}

/** With everything that is not seen, or changes what is seen, escaped. */
function toJson(name: string): string {
  return JSON.stringify(name).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (sign) =>
    Array.from(
      { length: sign.length },
      (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}
