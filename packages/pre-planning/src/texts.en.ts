import type { ForbiddenCategory } from './assumption/forbidden/forbidden-words.ts';

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
  /** Null where nothing was assumed; `example` is the label of one that stands. */
  readonly assumed: { readonly lines: string; readonly example: string } | null;
  /** Next phase. */
  readonly next: 'planning' | 'work';
  readonly time: string;
}

const categories: Readonly<Record<ForbiddenCategory, string>> = {
  security: 'security settings',
  credentials: 'credentials',
  database: 'database connections',
  environment: 'settings of an environment',
  'personal-data': 'personal data',
};

/** Words that people read in notices, results and reasons. */
export const en = {
  /** Reasons why something stays a gap. */
  assumption: {
    forbidden: (category: ForbiddenCategory) => `must not be assumed: ${categories[category]}`,
    notAssumable: 'must not be assumed',
    lowConfidence: (percent: number) => `the assumption is not sure enough (${percent}%)`,
    noAnswer: 'nothing could be assumed',
    /** In place of a reason that speaks of what is never assumed. */
    withheld: 'left out: it speaks of something that must not be assumed',
    disabled: 'assuming is switched off',
    notCollected: 'collecting is switched off',
    /** Its tool does not only read. */
    withheldTool: 'only tools that read are run during pre-planning',
    /** The sign between two reasons. */
    separator: '; ',
    rejected: (reason: string) => `the assumption was rejected${reason === '' ? '' : `: ${reason}`}`,
    rejectedConstraint: (value: string, wanted: string, reason: string) =>
      `Do not assume "${value}" for "${wanted}"${reason === '' ? '' : ` (${reason})`}`,
  },
  notice: {
    /** The status line of a live view while the request is analyzed. */
    analyzing: 'Analyzing the task...',
    start: (time: string) => `## 🔍 Task Analysis Started

Understanding the task and collecting what planning needs...

*Started: ${time}*`,
    understanding: ({ kind, goal, deliverables, inScope, outOfScope, percent }: UnderstandingParts) =>
      `## 📋 Task Understood

**Kind of task**: ${kind}

**Primary goal**:
${goal}

**Expected deliverables**:
${deliverables}

**Scope**:
- In scope: ${inScope}
- Out of scope: ${outOfScope}

*Confidence: ${percent}%*`,
    collectionStart: (items: string) => `## 🗂️ Collecting Information

**To be collected**:
${items}`,
    assumption: ({
      label,
      wanted,
      value,
      reasoning,
      percent,
      refutedBy,
    }: AssumptionParts) => `## ⚠️ Information Assumed

- **${label}** ${wanted}: ${value} (reason: ${reasoning})${refutedBy === '' ? '' : `\n  - would be refuted by: ${refutedBy}`}

*Confidence: ${percent}%*

If this is wrong, comment \`/reject ${label} reason\`.`,
    collectionEnd: ({ collected, assumed, next, time }: CollectionParts) =>
      `## 📚 Information Collected

**Collected**:
${collected}
${
  assumed === null
    ? ''
    : `
**Assumptions**:
The following could not be collected and was assumed:
${assumed.lines}

If one is wrong, comment for example \`/reject ${assumed.example} reason\`.
`
}
${next === 'planning' ? 'Going on to planning...' : 'Beginning the work...'}

*Finished: ${time}*`,
    collectedItem: (item: string) => `- ✅ ${item}`,
    assumedItem: (item: string) => `- ⚠️ ${item} (assumed)`,
    /** `reason`: why nothing stands in for it; empty where that is not known. */
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
      `The understanding is not sure (${percent}%): let the plan begin by checking what was asked`,
    planFailed:
      'Nothing was collected, because collecting could not be planned: let the plan begin by looking at the code and the configuration concerned',
    omitted: (count: number) =>
      `${count} more item(s) were over the limit or could not be read, and were not collected: look them up when needed`,
    gap: (description: string, impact: string) =>
      `"${description}" is unknown${impact === '' ? '' : ` (impact: ${impact})`}: consider an approach that does not rest on it`,
    assumption: (label: string, wanted: string, value: string) =>
      `Check assumption ${label} ("${wanted}": "${value}") early`,
  },
  plan: {
    /** The reason of a plan that the model did not give. @see decision E13 */
    failed: 'planning the collection failed',
    /** The reason of a plan that needs nothing where the model gave none. */
    noNeeds: 'nothing more has to be known',
  },
};
