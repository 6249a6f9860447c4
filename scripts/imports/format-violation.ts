import configuration from '../../.dependency-cruiser.mjs';
import type { Violation } from './cruise-imports.ts';

/** One paragraph: the import, the rule it breaks, the cycle it closes, and what to do. */
export function formatViolation({ rule, from, to, wayBack, imports }: Violation): string {
  const advice = configuration.forbidden.find(({ name }) => name === rule)?.comment ?? '';
  return [
    `${rule}: ${from} → ${to}`,
    ...imports.map((line) => `    imported by ${line}`),
    ...(wayBack.length > 1 ? [`    the way back: ${wayBack.join(' → ')}`] : []),
    `    ${advice}`,
  ].join('\n');
}
