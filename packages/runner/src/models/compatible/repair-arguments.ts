import { isRecord, parseJson } from './read-json-body.ts';

/**
 * Arguments of a tool call as JSON text. Missing ones mean an empty object. JSON that ends too early gets its closing brackets,
 * unless its end is inside or behind a value that could be cut: the call then stays invalid, and the model is asked again.
 */
export function repairArguments(value: unknown): string {
  if (value === undefined || value === null) return '{}';
  if (typeof value !== 'string') return JSON.stringify(value);
  if (value.trim() === '') return '{}';
  const parsed = parseJson(value);
  if (parsed === null) return '{}';
  if (parsed === undefined) return closeBrackets(value) ?? value;
  // Some models encode the object twice.
  return typeof parsed === 'string' && isRecord(parseJson(parsed)) ? parsed : value;
}

/** Adds the brackets that are missing at the end; null if the text could lack more than brackets. */
function closeBrackets(text: string): string | null {
  const open: string[] = [];
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{') open.unshift('}');
    else if (character === '[') open.unshift(']');
    else if ((character === '}' || character === ']') && open.shift() !== character) return null;
  }
  // A number at the end could have had more digits.
  if (inString || open.length === 0 || /\d[\d.eE+-]*\s*$/.test(text)) return null;
  const closed = text + open.join('');
  return parseJson(closed) === undefined ? null : closed;
}
