import vm from 'node:vm';
import { jsonrepair } from 'jsonrepair';

/** The library looks again and again at some inputs: 8 KB of lines that open a string each take it seconds. */
const maxChars = 16_384;
/** Mending takes a few milliseconds; on a busy machine the clock runs on while others work. */
const maxMs = 300;

const context = vm.createContext({});
const script = new vm.Script('repair()');

/**
 * JSON with commas too many, single quotes, comments and the like, parsed; undefined where that does not help, or
 * would hold everything else up: only a script of its own can be stopped.
 */
export function parseRepaired(text: string): unknown {
  if (text.length > maxChars) return undefined;
  let repaired = '';
  context.repair = () => {
    repaired = jsonrepair(text);
  };
  try {
    script.runInContext(context, { timeout: maxMs });
    return JSON.parse(repaired);
  } catch {
    // The library says that nothing can be made of it, that it is too deep for it, or it was stopped.
    return undefined;
  } finally {
    context.repair = undefined;
  }
}
