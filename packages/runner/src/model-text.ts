/** The first characters of a text, with a mark where more followed. */
export function fitStart(text: string, { maxChars }: { readonly maxChars: number }): string {
  return text.length <= maxChars ? text : `${cutEnd(text, maxChars - 1)}…`;
}

function cutEnd(text: string, length: number): string {
  return text.slice(0, isHighSurrogate(text.charCodeAt(length - 1)) ? length - 1 : length);
}

function isHighSurrogate(codeUnit: number): boolean {
  return codeUnit >= 0xd800 && codeUnit <= 0xdbff;
}
