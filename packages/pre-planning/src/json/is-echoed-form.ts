import { formChoice } from './form-choice.ts';
import { isPlaceholder } from './is-placeholder.ts';

const maxDepth = 16;

/** Whether an object is the form that the model was shown: more than half of its texts were left as they stood there. */
export function isEchoedForm(value: unknown): boolean {
  const counts = { filled: 0, open: 0 };
  count(value, { depth: 0, counts });
  return counts.open > counts.filled;
}

interface Counting {
  readonly depth: number;
  readonly counts: { filled: number; open: number };
}

function count(value: unknown, { depth, counts }: Counting): void {
  if (typeof value === 'string') {
    if (isPlaceholder(value) || value === formChoice) counts.open += 1;
    else if (value !== '') counts.filled += 1;
  } else if (typeof value === 'object' && value !== null && depth < maxDepth) {
    for (const inner of Object.values(value)) count(inner, { depth: depth + 1, counts });
  }
}
