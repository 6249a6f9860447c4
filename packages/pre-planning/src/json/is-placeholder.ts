/** Whether a text only holds the place of one, as in the forms that a model is shown. */
export function isPlaceholder(text: string): boolean {
  return /^[.…‥．・。\s]+$/.test(text);
}
