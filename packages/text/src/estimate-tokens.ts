/**
 * A rough count that needs no vocabulary: a token for every four characters of ASCII, one for every other code
 * point. Close for English and Japanese, high for other alphabets; pass the count of your model where it matters.
 */
export function estimateTokens(text: string): number {
  let ascii = 0;
  let others = 0;
  for (const character of text) {
    if (character < '\u0080') ascii += 1;
    else others += 1;
  }
  return Math.ceil(ascii / 4) + others;
}
