import type { ForbiddenCategory } from './assumption/forbidden/forbidden-words.ts';

/** Parts of a sentence about a rejected assumption; `reason` may be empty. */
export interface RejectionParts {
  readonly label: string;
  readonly value: string;
  readonly wanted: string;
  readonly reason: string;
}

export interface UnderstandingParts {
  readonly kind: string;
  readonly goal: string;
  readonly deliverables: string;
  readonly inScope: string;
  readonly outOfScope: string;
  readonly percent: number;
}

export interface AssumptionParts {
  readonly label: string;
  readonly wanted: string;
  readonly value: string;
  readonly reasoning: string;
  readonly percent: number;
  readonly refutedBy: string;
}

export interface CollectionParts {
  readonly collected: string;
  /** Null if nothing was assumed; `example` is the label of an assumption that is still valid. */
  readonly assumed: { readonly lines: string; readonly example: string } | null;
  /** Next phase. */
  readonly next: 'planning' | 'work';
  readonly time: string;
}

const categories: Readonly<Record<ForbiddenCategory, string>> = {
  security: 'security settings',
  credentials: 'credentials',
  database: 'database connections',
  environment: 'environment settings',
  'personal-data': 'personal data',
};

/** Texts of notices, results and reasons. */
export const en = {
  /** Reasons why an information need remains a gap. */
  assumption: {
    forbidden: (category: ForbiddenCategory) => `I don't make assumptions about ${categories[category]}`,
    notAssumable: "I don't make assumptions about it",
    lowConfidence: (percent: number) => `the confidence of the assumption is too low (${percent}%)`,
    noAnswer: 'nothing could be assumed',
    /** Replaces a reason that mentions something that must not be assumed. */
    withheld: 'left out, because it mentions something that I make no assumptions about',
    disabled: 'assuming is turned off',
    notCollected: 'collecting is turned off',
    /** The planned tool is not read-only. */
    withheldTool: "unknown, because I don't run commands before planning",
    /** Between two reasons. */
    separator: '; ',
    rejected: (reason: string) => `the assumption was rejected${reason === '' ? '' : `: ${reason}`}`,
    rejectedConstraint: ({ label, value, wanted, reason }: RejectionParts) =>
      `Assumption ${label} (${wanted}: ${value}) was rejected.${reason === '' ? '' : ` Reason: ${reason}`}`,
  },
  notice: {
    /** The status line of a live view while the request is analyzed. */
    analyzing: 'Analyzing the task...',
    start: (time: string) => `## 🔍 Task analysis started

Reading the task and collecting the information needed for planning...

*Started: ${time}*`,
    understanding: ({ kind, goal, deliverables, inScope, outOfScope, percent }: UnderstandingParts) =>
      `## 📋 Task understood

**Task type**: ${kind}

**Primary goal**:
${goal}

**Expected deliverables**:
${deliverables}

**Scope**:
- In scope: ${inScope}
- Out of scope: ${outOfScope}

*Confidence: ${percent}%*`,
    collectionStart: (items: string) => `## 🗂️ Collecting information

**To be collected**:
${items}`,
    assumption: ({
      label,
      wanted,
      value,
      reasoning,
      percent,
      refutedBy,
    }: AssumptionParts) => `## ⚠️ Information assumed

- **${label}** ${wanted}: ${value} (reason: ${reasoning})${refutedBy === '' ? '' : `\n  - would be refuted by: ${refutedBy}`}

*Confidence: ${percent}%*

If this is wrong, comment \`/reject ${label} <reason>\`.`,
    collectionEnd: ({ collected, assumed, next, time }: CollectionParts) =>
      `## 📚 Information collected

**Collected**:
${collected}
${
  assumed === null
    ? ''
    : `
**Assumptions**:
I couldn't find the following, so I assumed it:
${assumed.lines}

If one is wrong, comment for example \`/reject ${assumed.example} <reason>\`.
`
}
${next === 'planning' ? 'Moving on to planning...' : 'Starting the work...'}

*Finished: ${time}*`,
    collectedItem: (item: string) => `- ✅ ${item}`,
    assumedItem: (item: string) => `- ⚠️ ${item} (assumed)`,
    /** `reason`: why nothing was assumed instead; empty if unknown. */
    failedItem: (item: string, reason: string) =>
      `- ❌ ${item} (not found${reason === '' ? '' : `; ${reason}`})`,
    assumptionLine: ({ label, wanted, value, reasoning, percent, refutedBy }: AssumptionParts) =>
      `- ${wanted}: ${value} (reason: ${reasoning})\n  - ${label}, confidence: ${percent}%${refutedBy === '' ? '' : `, would be refuted by: ${refutedBy}`}`,
    skipped: (reason: string) => `Collecting was not necessary (${reason})`,
    notPlanned: (reason: string) => `Nothing could be collected (${reason})`,
    none: 'none',
    separator: ', ',
    unknownKind: 'unknown',
  },
  /** Advice to planning, by rule. @see decision E20 */
  recommendation: {
    lowConfidence: (percent: number) =>
      `The request was understood with low confidence (${percent}%): start the plan by checking what was asked`,
    planFailed:
      'Nothing was collected, because planning the collection failed: start the plan by reading the relevant code and configuration',
    omitted: (count: number) =>
      `${count} more item(s) were over the limit or could not be read, and were not collected: look them up when needed`,
    gap: (description: string, impact: string) =>
      `"${description}" is unknown${impact === '' ? '' : ` (impact: ${impact})`}: consider an approach that does not depend on it`,
    assumption: (label: string, wanted: string, value: string) =>
      `Check assumption ${label} ("${wanted}": "${value}") early`,
  },
  plan: {
    /** The reason of a plan that the model did not give. @see decision E13 */
    failed: "the model didn't say what to look up",
    /** The reason of a plan that needs nothing where the model gave none. */
    noNeeds: 'no more information is needed',
  },
};
