import type { ToolDescription } from '../ports.ts';
import { fitStart } from './fit-start.ts';

interface ToolForm {
  readonly descriptionChars: number;
  readonly formatParameters: (parameters: unknown) => string;
}

/** From telling to terse. */
const forms: readonly ToolForm[] = [
  { descriptionChars: 300, formatParameters: formatSchema },
  { descriptionChars: 80, formatParameters: formatSchema },
  { descriptionChars: 80, formatParameters: listParameters },
  { descriptionChars: 0, formatParameters: listParameters },
];

/** All tools in the most telling form in which there is room for them; in the last one, those that fit. */
export function describeTools(tools: readonly ToolDescription[], maxChars: number): string {
  if (tools.length === 0) return 'none';
  let lines: readonly string[] = [];
  for (const form of forms) {
    lines = tools.map((tool) => describeTool(tool, form));
    const length = lines.reduce((sum, line) => sum + line.length + 1, 0);
    if (length <= maxChars) return lines.join('\n');
  }
  return fitTools(lines, maxChars);
}

function fitTools(lines: readonly string[], maxChars: number): string {
  const shown: string[] = [];
  let left = maxChars - '- (10000 more)'.length;
  for (const line of lines) {
    left -= line.length + 1;
    if (left < 0) break;
    shown.push(line);
  }
  return [...shown, `- (${lines.length - shown.length} more)`].join('\n');
}

function describeTool(
  { name, description, parameters }: ToolDescription,
  { descriptionChars, formatParameters }: ToolForm,
): string {
  const told = fitStart(description.replace(/\s+/g, ' '), descriptionChars);
  return `- ${name}:${descriptionChars === 0 ? '' : ` ${told}`} Parameters: ${formatParameters(parameters)}`;
}

function formatSchema(parameters: unknown): string {
  return fitStart(JSON.stringify(parameters) ?? '{}', 1_500);
}

/** Names alone; a mark at those that may be left out. */
function listParameters(parameters: unknown): string {
  const { properties, required } = (parameters ?? {}) as {
    readonly properties?: object | null;
    readonly required?: unknown;
  };
  const needed = new Set(Array.isArray(required) ? required : []);
  const names = Object.keys(properties ?? {}).map((name) => (needed.has(name) ? name : `${name}?`));
  return fitStart(names.join(', ') || 'none', 200);
}
