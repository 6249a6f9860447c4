import type { Script } from '@agent/simulators/model';
import { findSandbox } from '@agent/workspace/testing';
import { answerScript } from '../support/fix-script.ts';
import type { Forge, ForgeName } from '../support/forge.ts';
import { fixStory, followPlan } from '../support/planning-script.ts';
import { onlyPrePlanning, withPreparation } from '../support/pre-planning-script.ts';
import { projectFiles, startWorld, type World } from '../support/world.ts';
import { appendProgram, carefulScript } from './careful-script.ts';
import { wantedByKilled } from './preparation.ts';
import { createTalk, type Talk } from './talk.ts';

/** Work that the daemon is killed at. */
export interface Scenario {
  readonly name: string;
  /** Default `github`. */
  readonly forge?: ForgeName;
  readonly api: 'responses' | 'chat';
  readonly script: Script;
  /** `required` becomes `off`, and says so, where bubblewrap does not work. */
  readonly sandbox: 'required' | 'off';
  readonly openThreads: (forge: Forge) => Promise<void>;
  /** Whether people comment on the one thread while the run is under way, and the daemon listens. Default false. */
  readonly talk?: boolean;
  /** Whether the run gets ready before its first step. Default false. */
  readonly ready?: boolean;
  /** Whether the run works by a plan. Default false. */
  readonly plans?: boolean;
}

const label = 'coding agent';
const planning = onlyPrePlanning({ notification: { notify_on_assumption: true } });

function openIssue(forge: Forge, title: string): void {
  forge.openIssue({ title, body: 'It forgets the quantity.', labels: [label] });
}

async function openChangeRequest(forge: Forge): Promise<void> {
  await forge.openChangeRequest({
    title: 'Count quantities',
    body: 'The quantity is missing.',
    labels: ['bug', label],
    headBranch: 'alice/total',
    files: { 'NOTES.md': 'Alice was here.\n' },
  });
}

export const issue: Scenario = {
  name: 'an issue',
  api: 'responses',
  script: carefulScript,
  sandbox: 'required',
  openThreads: async (forge) => openIssue(forge, 'The total is wrong'),
};

export const pullRequest: Scenario = {
  name: "a pull request's own task",
  api: 'chat',
  script: carefulScript,
  sandbox: 'off',
  openThreads: openChangeRequest,
};

export const several: Scenario = {
  name: 'two issues and a pull request at once',
  api: 'responses',
  script: carefulScript,
  sandbox: 'off',
  openThreads: async (forge) => {
    openIssue(forge, 'The total is wrong');
    openIssue(forge, '合計が違います');
    await openChangeRequest(forge);
  },
};

const question: Scenario = {
  name: 'an issue that needs no change',
  api: 'chat',
  script: answerScript,
  sandbox: 'required',
  openThreads: async (forge) => openIssue(forge, 'How does it work?'),
};

/** Everything on GitLab is another request, at another moment. */
export const gitLab: Scenario = {
  name: 'an issue and a merge request on GitLab at once',
  forge: 'gitlab',
  api: 'chat',
  script: carefulScript,
  sandbox: 'off',
  openThreads: async (forge) => {
    openIssue(forge, 'The total is wrong');
    await openChangeRequest(forge);
  },
};

const talkOnIssue: Scenario = { ...issue, name: 'an issue that people talk on', talk: true };

export const talkOnMergeRequest: Scenario = {
  ...pullRequest,
  name: 'a merge request that people talk on',
  forge: 'gitlab',
  talk: true,
};

const readyForIssue: Scenario = {
  ...question,
  name: 'an issue that a run gets ready for',
  api: 'responses',
  ready: true,
};

const readyForMergeRequest: Scenario = {
  ...talkOnMergeRequest,
  name: 'a merge request that a run gets ready for while people talk on it',
  ready: true,
};

/** Each action can be done again: what a kill interrupted is done in another attempt. */
const plannedScript = followPlan({
  ...fixStory,
  acts: {
    ...fixStory.acts,
    task_2: [
      {
        name: 'write_file',
        input: {
          path: 'total.js',
          content: (projectFiles['total.js'] ?? '').replace('line.price', 'line.price * line.quantity'),
        },
      },
    ],
  },
});

export const planned: readonly Scenario[] = (['github', 'gitlab'] as const).map((forge) => ({
  name: `an issue on ${forge} that a run plans for`,
  forge,
  api: forge === 'github' ? 'responses' : 'chat',
  script: plannedScript,
  sandbox: 'off',
  openThreads: async (at) => openIssue(at, 'The total is wrong'),
  plans: true,
}));

export const scenarios = [
  issue,
  pullRequest,
  several,
  question,
  gitLab,
  talkOnIssue,
  talkOnMergeRequest,
  readyForIssue,
  readyForMergeRequest,
] as const;

export interface OpenedScenario {
  readonly world: World;
  /** Null where nobody talks. */
  readonly talk: Talk | null;
}

/** A world with the scenario's threads in it, and nobody at work yet; `files` take the place of the repository's own. */
export async function openScenario(
  scenario: Scenario,
  files: Readonly<Record<string, string>> = {},
): Promise<OpenedScenario> {
  const talk = scenario.talk === true ? createTalk() : null;
  const sandbox = scenario.sandbox === 'off' || (await findSandbox()) === null ? 'off' : 'required';
  const script = talk?.script ?? scenario.script;
  const world = await startWorld({
    script: scenario.ready === true ? withPreparation(script, wantedByKilled) : script,
    api: scenario.api,
    forges: [scenario.forge ?? 'github'],
    files: { ...projectFiles, 'append.js': appendProgram, ...files },
    config: {
      tools: { run_command: { allow: ['node'], sandbox, allow_root: true } },
      comment_detection: { enabled: talk !== null },
      ...(scenario.plans === true ? { planning: { pre_planning: { enabled: false } } } : {}),
      ...(scenario.ready === true ? { planning, report: { style: 'seed' } } : {}),
    },
    ...(talk === null ? {} : { onForgeRequest: talk.onForgeRequest }),
  });
  await scenario.openThreads(world.forge);
  const [thread] = world.forge.threads();
  if (thread !== undefined) talk?.takePlaceOn(world.forge, thread);
  return { world, talk };
}
