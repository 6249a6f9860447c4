/** What is commonly done: one expression after the other. Quadratic where their end is missing. */
export function readWithExpressions(text: string): unknown {
  const said = text.replace(/<think>[\s\S]*?<\/think>/g, '').trim();
  const fenced = /```(?:json)?\s*(\{[\s\S]*?\})\s*```/.exec(said)?.[1];
  const bare = /\{[\s\S]*\}/.exec(said)?.[0];
  for (const candidate of [said, fenced, bare]) {
    try {
      if (candidate !== undefined) return JSON.parse(candidate);
    } catch {
      // The next one is tried.
    }
  }
  return null;
}
