import { setTimeout as delay } from 'node:timers/promises';
import type { Script } from '@agent/simulators/model';
import { quickWaits, runDaemonCommand, startDaemonProcess } from '../support/daemon-process.ts';
import { answerScript, fixScript } from '../support/fix-script.ts';
import type { ForgeName } from '../support/forge.ts';
import { fixStory, followPlan, verification } from '../support/planning-script.ts';
import { withPreparation } from '../support/pre-planning-script.ts';
import { rejectedAssumption } from '../support/rejected-assumption.ts';
import { startWorld, type World } from '../support/world.ts';

/** A text that the product showed to a person, whole: a comment, or the output of a command. */
export interface RenderedText {
  /** `approval/status comment at request 7`. */
  readonly name: string;
  readonly text: string;
}

/** A run on the real daemon whose texts are read. */
interface RenderedRun {
  readonly name: string;
  readonly forge?: ForgeName;
  readonly script: Script;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly title?: string;
  /** Comments that people post, by the number of the model request during which they do. */
  readonly comments?: Readonly<Record<number, { readonly author: string; readonly body: string }>>;
  /** Comments that people post one after the other after the daemon has exited; each starts it again. */
  readonly afterwards?: readonly { readonly author: string; readonly body: string }[];
  /** Commands whose output is read at the end. */
  readonly commands?: readonly (readonly string[])[];
}

/** A run that takes longer hangs: the daemon is killed, and its texts are read as they are. */
const longestRunMs = 90_000;

/** Account of the agent on both simulated platforms. */
const robot = 'robot';

const planning = { reflection: { trigger_interval: 0 } };
const withoutPrePlanning = { ...planning, pre_planning: { enabled: false } };
const unclear = (view: Parameters<Script>[0]) =>
  view.messages.some(({ text }) => text.includes('All quantities.'));

/** Ten runs whose texts readers rate: each outcome of a run, both platforms, and each command of a person. */
export const renderedRuns: readonly RenderedRun[] = [
  {
    name: 'rejected assumption',
    script: withPreparation(followPlan(rejectedAssumption)),
    config: { planning },
    comments: { 6: { author: 'alice', body: '/reject A1 Yen have no cents.' } },
    commands: [['status']],
  },
  {
    name: 'rejected assumption on GitLab',
    forge: 'gitlab',
    script: withPreparation(followPlan(rejectedAssumption)),
    config: { planning },
    comments: { 7: { author: 'alice', body: 'Please keep the function name.\n/reject A1 no cents' } },
  },
  {
    name: 'question',
    title: 'Why does total ignore the quantity?',
    script: (view) =>
      view.exchanges.length === 0
        ? { toolCalls: [{ name: 'read_file', input: { path: 'total.js' } }] }
        : answerScript(view),
  },
  { name: 'no work', script: () => ({ text: 'Done.' }), config: { planning }, commands: [['status']] },
  {
    name: 'pause and resume',
    script: fixScript,
    comments: { 3: { author: 'alice', body: '/pause' } },
    afterwards: [{ author: 'alice', body: '/resume' }],
    commands: [['status']],
  },
  {
    name: 'stop, first by an untrusted user',
    script: fixScript,
    comments: { 2: { author: 'bob', body: '/stop' }, 3: { author: 'alice', body: '/stop' } },
  },
  {
    name: 'question of the agent',
    script: followPlan({
      ...fixStory,
      plan: (_request, view) =>
        unclear(view)
          ? fixStory.plan()
          : {
              phase: 'planning',
              error: { type: 'unclear_goal', message: '?', clarification_needed: ['Which quantities?'] },
            },
    }),
    config: { planning: withoutPrePlanning },
    afterwards: [{ author: 'alice', body: 'All quantities.' }],
  },
  {
    name: 'approval',
    script: followPlan(fixStory),
    config: { planning: { ...withoutPrePlanning, approval: 'required' } },
    afterwards: [{ author: 'alice', body: '/approve' }],
  },
  {
    name: 'partial',
    script: followPlan({ ...fixStory, verify: () => verification({ passed: false }) }),
    config: { planning: withoutPrePlanning },
    commands: [['status']],
  },
  {
    name: 'failed tools',
    script: (view) => ({
      toolCalls: [{ name: 'read_file', input: { path: `missing-${view.exchanges.length}.js` } }],
    }),
    commands: [['status'], ['doctor']],
  },
];

/** Plays a run and collects its texts: each state of its comments, and the output of its commands. */
export async function renderRun(run: RenderedRun): Promise<readonly RenderedText[]> {
  const texts = new Map<string, string>();
  const take = (name: string, text: string) => {
    const body = text.replaceAll(/<!--.*?-->/gsu, '').trim();
    if (body !== '' && ![...texts.values()].includes(body)) texts.set(`${run.name}/${name}`, body);
  };
  let requests = 0;
  let reference = '';
  const takeThread = (world: World, moment: string) => {
    const { comments, statusComments, labels } = world.forge.thread(reference);
    for (const { body } of statusComments) take(`status comment ${moment}`, body);
    for (const { id, author, body } of comments) if (author === robot) take(`comment ${id} ${moment}`, body);
    return labels;
  };
  const world: World = await startWorld({
    script: run.script,
    forges: [run.forge ?? 'github'],
    config: { comment_detection: { enabled: true }, ...run.config },
    onModelRequest: async () => {
      requests += 1;
      takeThread(world, `at request ${requests}`);
      const comment = run.comments?.[requests];
      if (comment !== undefined) world.forge.comment(reference, comment);
      await delay(150);
    },
  });
  try {
    ({ reference } = world.forge.openIssue({
      title: run.title ?? 'The total is wrong',
      body: 'It forgets the quantity.',
      labels: ['coding agent'],
    }));
    const work = async (moment: string) => {
      const daemon = startDaemonProcess(world.configFile, { nodeArguments: quickWaits });
      const watchdog = setTimeout(() => daemon.child.kill('SIGKILL'), longestRunMs);
      await daemon.exited;
      clearTimeout(watchdog);
      const labels = takeThread(world, moment);
      if (labels.length > 0) take(`labels ${moment}`, labels.join(', '));
    };
    await work('at the end');
    for (const [index, comment] of (run.afterwards ?? []).entries()) {
      world.forge.comment(reference, comment);
      await work(`after comment ${index + 1}`);
    }
    for (const command of run.commands ?? [])
      take(`agent-daemon ${command[0]}`, (await runDaemonCommand(world.configFile, command)).output);
  } finally {
    await world.close();
  }
  return [...texts].map(([name, text]) => ({ name, text }));
}
