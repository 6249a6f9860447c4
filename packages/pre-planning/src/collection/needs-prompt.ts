import { fitStart } from '@agent/text';
import {
  describeRequest,
  fitWrapped,
  formatMaterialRule,
  languages,
  madeBy,
  type Prompt,
  type PromptOptions,
} from '../answers/prompt-options.ts';
import type { PrePlanningRequest, ToolDescription } from '../ports.ts';
import type { RequestUnderstanding } from '../understanding/understanding.ts';

export interface NeedsMaterial {
  readonly request: PrePlanningRequest;
  readonly understanding: RequestUnderstanding;
  readonly tools: readonly ToolDescription[];
  readonly maxItems: number;
}

/**
 * Asks what has to be known before planning, and how to find it out. Tools take at most a quarter of the room, what was
 * understood an eighth, the request the rest. @see seed 004 §4.2, §4.3
 */
export function makeNeedsPrompt(material: NeedsMaterial, options: PromptOptions): Prompt {
  const { request, understanding, tools, maxItems } = material;
  const { maxChars, wrap } = options;
  const described = describeTools(tools, Math.floor(maxChars / 4));
  const understood = fitWrapped(JSON.stringify(understanding), madeBy('understanding'), {
    maxChars: Math.floor(maxChars / 8),
    wrap,
  });
  const room = Math.max(0, maxChars - described.length - (understood ?? '').length);
  return {
    instructions: `You prepare the work of a coding agent. Decide what has to be known before the work can be planned, and with which tool each thing is found out. You do not call the tools; they only read. ${formatMaterialRule(options)}`,
    text: `${describeRequest(request, { ...options, maxChars: room })}

## What was understood
${understood ?? 'left out'}

## Tools
${described}

## What may be needed
- codebase: structure of the project (list files), code that will change (search, read), dependencies (configuration files), where and how tests are written (find tests), configuration
- context: patterns of the existing code (search for similar code), rules of coding (rule files), documentation of APIs
- external: issues and pull requests that are referred to (search), documentation of libraries (search the web, where there is a tool for it)

## How to decide
1. Necessity: only what the work really needs.
2. Priority: what matters most and costs least comes first; at most ${maxItems} items.
3. Method: the best tool and its parameters. Only tools of the list above.
4. Alternative: what to do where it can't be had; can_assume and a default_assumption where a guess is reasonable. Security settings, credentials (API keys, passwords, tokens), database connections, settings of an environment and personal data are never assumed: can_assume is false for them.

Set skip_collection to true, with the reason, when the task is very simple, when earlier runs already found out what is needed, or when nothing about the request is open.

Write descriptions, purposes, reasons and assumptions in ${languages[options.locale]}; keep keys, names and code as they are.

## Form of the answer
Answer with this one JSON object and nothing else:
{
  "phase": "information_planning",
  "information_needs": {
    "required_information": [
      {
        "id": "info_1",
        "category": "codebase|context|external",
        "description": "…",
        "purpose": "…",
        "collection_method": { "tool": "…", "parameters": { "…": "…" } },
        "fallback_strategy": "…",
        "can_assume": true,
        "default_assumption": "…"
      }
    ],
    "collection_order": ["info_1"],
    "skip_collection": false,
    "skip_reason": ""
  }
}`,
  };
}

interface ToolForm {
  readonly descriptionChars: number;
  readonly formatParameters: (parameters: unknown) => string;
}

/** Forms in which a prompt names tools, from telling to terse. */
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
