/** The beginning of a text, with a mark where more followed; never half a character. */
export function fitStart(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, Math.max(0, maxChars - 1)).toWellFormed()}…`;
}
