/** A script stays a script when it is checked out. */
export function modeOf(text: string): string {
  return text.startsWith('#!') ? '100755' : '100644';
}
