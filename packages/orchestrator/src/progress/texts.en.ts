import type { PrePlanningState } from '@agent/pre-planning';
import type { PlanningPhaseName } from '@agent/runner/planning';

type Subphase = PrePlanningState['current_subphase'];

const subphases: Readonly<Record<Subphase, string>> = {
  understanding: 'understanding the task',
  collection_planning: 'planning what to look for',
  collection: 'collecting information',
  assumption: 'making assumptions where nothing was found',
  complete: 'ready to work',
};

const phases: Readonly<Record<PlanningPhaseName, string>> = {
  planning: 'making a plan',
  execution: 'carrying out the plan',
  reflection: 'reflecting on what was done',
  revision: 'revising the plan',
  verification: 'verifying the result',
  report: 'writing the report',
};

/** Words of a run's state, use and waiting. */
const vitals = {
  state: (state: string) => `**State:** ${state}`,
  states: {
    claimed: '▶️ running',
    working: '▶️ running',
    queued: '⏳ queued',
    interrupted: '⏹️ interrupted',
    paused: '⏸️ paused',
    watching: '👀 waiting',
  },
  use: ({ modelCalls: calls, inputTokens, outputTokens, spent }: UsedSoFar) =>
    `**So far:** ${calls} ${calls === 1 ? 'model call' : 'model calls'} · ${inputTokens} tokens in, ${outputTokens} out${spent === null ? '' : ` · ${spent}`}`,
  waitsFor: (what: string) => `**Waiting for:** ${what}`,
  waits: {
    model: (since: string) => `the answer of the model, since ${since}`,
    agent: (since: string) => `the answer of the agent, since ${since}`,
    'model-away': (since: string) => `the model, which has not been available since ${since}`,
    tool: (tool: string, since: string) => `the tool ${tool}, since ${since}`,
    answer: (who: string | null, until: string | null) =>
      `an answer by ${nameSteerers(who)}${until === null ? '' : ` until ${until}`}`,
    approval: (who: string | null) => `the approval of the plan by ${nameSteerers(who)}`,
    resume: (who: string | null) => `\`/resume\` (by ${nameSteerers(who)}) or the operator`,
    reviews: (until: string | null) => `reviews and checks${until === null ? '' : ` until ${until}`}`,
    turn: 'its turn: it goes on by itself as soon as that is possible',
    start: 'the next start of the agent: then it goes on by itself',
  },
  /** `minutes`: null where no further sign is promised. */
  sign: (time: string, minutes: number | null) =>
    minutes === null
      ? `**As of:** ${time}`
      : `**Last sign of life:** ${time} (renewed every ${minutes} minutes at the latest; where it is older, nothing works here)`,
};

interface UsedSoFar {
  readonly modelCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Cost; null where none is known. */
  readonly spent: string | null;
}

function nameSteerers(who: string | null): string {
  return who === null ? 'anybody who may steer the agent' : `${who} or anybody else who may steer the agent`;
}

/** Words of the sections of the comment that a run keeps on its thread. */
export const en = {
  vitals,
  /** Heads the comment where it does not claim the thread. */
  title: '🤖 **Progress of the coding agent**',
  now: (what: string) => `**Now:** ${what}`,
  subphase: (name: Subphase) => subphases[name],
  of: (done: number, total: number) => ` (${done} of ${total})`,
  working: 'working',
  understanding: '### 📋 Understanding',
  goal: (goal: string) => `- **Main goal:** ${goal}`,
  kind: (kind: string, percent: number) => `- **Kind of task:** ${kind} · **confidence:** ${percent}%`,
  deliverables: '- **Expected deliverables:**',
  inScope: (items: string) => `- **In scope:** ${items}`,
  outOfScope: (items: string) => `- **Out of scope:** ${items}`,
  separator: ', ',
  information: '### 📚 Information',
  collected: (item: string) => `- ✅ ${item}`,
  assumed: (item: string, label: string) => `- ⚠️ ${item} (assumed${label === '' ? '' : `, ${label}`})`,
  missing: (item: string, reason: string) => `- ❌ ${item}${reason === '' ? '' : ` (${reason})`}`,
  open: (item: string) => `- ⏳ ${item}`,
  skipped: (reason: string) => `Nothing had to be collected (${reason}).`,
  cutShort: '*Collecting ended early: the work begins with what was found out until then.*',
  assumptions: '### ⚠️ Assumptions',
  assumption: (label: string, wanted: string, value: string) => `- **${label}** ${wanted}: ${value}`,
  because: (percent: number, reasoning: string) =>
    ` (${percent}%${reasoning === '' ? '' : `; ${reasoning}`})`,
  refutedBy: (text: string) => `  - would be refuted by: ${text}`,
  rejected: (text: string) => `- 🚫 ${text}`,
  howToReject: (label: string) => `If one is wrong, comment \`/reject ${label} reason\`.`,
  phase: (name: PlanningPhaseName) => phases[name],
  waitsForAnswer: (until: string | null) =>
    `waiting for an answer to the question below${until === null ? '' : ` (until ${until})`}`,
  waitsForApproval: 'waiting for the approval of the plan',
  setbacks: '## 🩹 Setbacks',
  failedAction: (task: string, attempt: number, detail: string) =>
    `- **${task}** failed${attempt > 1 ? ` (attempt ${attempt})` : ''}${detail === '' ? '' : `: ${detail}`}`,
  droppedRevision: (reasons: string) => `⚠️ A revision of the plan was not made: ${reasons}`,
  earlierRounds: 'Earlier rounds of verification',
  decisions: 'Decisions about the plan',
  cut: (count: number) =>
    count === 1 ? '*One older section is left out.*' : `*${count} older sections are left out.*`,
};
