/** Tells whether there is anything to see in a text: spaces, controls and characters without a shape are nothing. */
export function isVisible(text: string): boolean {
  return /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u.test(text);
}
