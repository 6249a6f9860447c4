/** More than any platform nests, in levels. */
const maxDepth = 100;
/** More objects and lists than a delivery of the largest push has. */
const maxContainers = 500_000;

/** The payload of a delivery; undefined for what is no JSON, or takes many times its length in memory to read. */
export function parsePayload(text: string): unknown {
  if (!isWithinBounds(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isWithinBounds(text: string): boolean {
  let depth = 0;
  let containers = 0;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (isText) {
      if (character === '\\') at += 1;
      else if (character === '"') isText = false;
    } else if (character === '"') {
      isText = true;
    } else if (character === '[' || character === '{') {
      depth += 1;
      containers += 1;
      if (depth > maxDepth || containers > maxContainers) return false;
    } else if (character === ']' || character === '}') {
      depth -= 1;
    }
  }
  return true;
}
