import type { PrePlanningState } from '@agent/pre-planning';
import type { ModelFailureKind } from '@agent/runner';
import type { PlanningPhaseName } from '@agent/runner/planning';

type Subphase = PrePlanningState['current_subphase'];

const subphases: Readonly<Record<Subphase, string>> = {
  understanding: 'analyzing the task',
  collection_planning: 'planning what to look up',
  collection: 'collecting information',
  assumption: 'making assumptions about missing information',
  complete: 'starting to work',
};

const phases: Readonly<Record<PlanningPhaseName, string>> = {
  planning: 'making a plan',
  execution: 'executing the plan',
  reflection: 'reviewing the work so far',
  revision: 'revising the plan',
  verification: 'verifying the result',
  report: 'writing the report',
};

/** Tasks of an operator, by the kind of the failure. */
const causes: Readonly<Partial<Record<ModelFailureKind, string>>> = {
  unauthorized: "the model's endpoint refuses the API key",
  'no-quota': "the account at the model's endpoint has no credit left",
  'unknown-model': "the model's endpoint does not know the model or the address",
  'no-tools': 'the model cannot call tools',
};

/** State of a run, its use of models and what it waits for. */
const vitals = {
  state: (state: string) => `**State:** ${state}`,
  states: {
    running: '▶️ running',
    queued: '⏳ queued',
    interrupted: '⏹️ interrupted',
    paused: '⏸️ paused',
    needs_input: '💬 needs input',
    in_review: '👀 in review',
  },
  use: ({ modelCalls: calls, inputTokens, outputTokens, spent }: UsedSoFar) =>
    `**So far:** ${calls} ${calls === 1 ? 'model call' : 'model calls'} · ${inputTokens} tokens in, ${outputTokens} out${spent === null ? '' : ` · ${spent}`}`,
  waitsFor: (what: string) => `**Waiting for:** ${what}`,
  waits: {
    model: (since: string) => `the model's answer, since ${since}`,
    agent: (since: string) => `the agent's answer, since ${since}`,
    'model-away': (since: string) => `the model, unavailable since ${since}`,
    operator: (cause: string, since: string) => `the operator of the agent, since ${since}: ${cause}`,
    causes,
    otherCause: 'the model cannot be used',
    tool: (tool: string, since: string) => `the tool ${tool}, since ${since}`,
    answer: (who: string | null, until: string | null) =>
      `an answer from ${nameSteerers(who)}${until === null ? '' : `, until ${until}`}`,
    approval: (who: string | null) => `approval of the plan (\`/approve\`) by ${nameSteerers(who)}`,
    held: (count: number, who: string | null) =>
      `permission to push ${count} held ${count === 1 ? 'change' : 'changes'} (\`/allow\`) from ${nameSteerers(who)}`,
    resume: (who: string | null) =>
      `\`/resume\` from ${nameSteerers(who)} (the operator of the agent can also resume it)`,
    reviews: (until: string | null) => `reviews and checks${until === null ? '' : `, until ${until}`}`,
    turn: 'its turn (continues automatically)',
    start: 'the next start of the agent (continues automatically)',
  },
  /** `minutes`: null if no further update follows. */
  sign: (time: string, minutes: number | null) =>
    minutes === null
      ? `**Last update:** ${time}`
      : `**Last update:** ${time} (at least every ${minutes} minutes while the agent is running)`,
};

interface UsedSoFar {
  readonly modelCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Cost with its currency; null if no price is known. */
  readonly spent: string | null;
}

function nameSteerers(who: string | null): string {
  return who === null ? 'anyone with write access' : `${who} or anyone else with write access`;
}

/** Sections of a run's progress comment, in English. */
export const en = {
  vitals,
  /** Heads the progress if it is not part of the status comment. */
  title: '🤖 **Progress of the coding agent**',
  now: (what: string) => `**Now:** ${what}`,
  subphase: (name: Subphase) => subphases[name],
  of: (done: number, total: number) => ` (${done} of ${total} done)`,
  waitingTools: (names: readonly string[], others: number) =>
    `**Tools I can't use yet:** ${names.join(', ')}${others === 0 ? '' : ` and ${others} more`}. Their MCP servers changed or added them. The operator of the agent can accept them with \`agent-daemon accept\`.`,
  working: 'working on the task',
  understanding: '### 📋 Understanding',
  notUnderstood: "I couldn't analyze the task, so I'm working from its title and description.",
  goal: (goal: string) => `- **Main goal:** ${goal}`,
  kind: (kind: string, percent: number) => `- **Task type:** ${kind} · **confidence:** ${percent}%`,
  deliverables: '- **Expected deliverables:**',
  inScope: (items: string) => `- **In scope:** ${items}`,
  outOfScope: (items: string) => `- **Out of scope:** ${items}`,
  separator: ', ',
  information: '### 📚 Information',
  planned: '### 🗂️ Information to collect',
  collected: (item: string) => `- ✅ ${item}`,
  assumed: (item: string, label: string) => `- ⚠️ ${item} (assumed${label === '' ? '' : `, ${label}`})`,
  missing: (item: string, reason: string) => `- ➖ ${item}${reason === '' ? '' : ` (${reason})`}`,
  open: (item: string) => `- ⏳ ${item}`,
  skipped: (reason: string) => `Nothing was collected: ${reason}.`,
  cutShort: '*Collecting information ended early. The work started with what was found by then.*',
  assumptions: '### ⚠️ Assumptions',
  assumption: (label: string, wanted: string, value: string) => `- **${label}** ${wanted}: ${value}`,
  because: (percent: number, reasoning: string) =>
    ` (confidence: ${percent}%${reasoning === '' ? '' : `; reason: ${reasoning}`})`,
  refutedBy: (text: string) => `  - Signs that it is wrong: ${text}`,
  rejected: (text: string) => `- 🚫 ${text}`,
  howToReject: (label: string) => `If an assumption is wrong, comment \`/reject ${label} <reason>\`.`,
  phase: (name: PlanningPhaseName) => phases[name],
  waitsForAnswer: (until: string | null) =>
    `waiting for an answer to the question below${until === null ? '' : ` (until ${until})`}`,
  waitsForApproval: 'waiting for approval of the plan',
  setbacks: '## 🩹 Setbacks',
  failedAction: (task: string, attempt: number, detail: string) =>
    `- **${task}**, attempt ${attempt}${detail === '' ? ' failed' : `: ${detail}`}`,
  droppedRevision: (reasons: string) => `⚠️ Skipped a revision of the plan: ${reasons}`,
  earlierRounds: 'Earlier rounds of verification',
  decisions: 'Decisions about the plan',
  approved: ({ by, words, version }: GivenByPhrase) =>
    `✅ Version ${version} of the plan is approved: “${words}” from ${by}.`,
  cut: (count: number) =>
    count === 1 ? '*One older section omitted.*' : `*${count} older sections omitted.*`,
};

/** Approval that was not given by a command. */
interface GivenByPhrase {
  readonly by: string;
  readonly words: string;
  readonly version: number;
}
