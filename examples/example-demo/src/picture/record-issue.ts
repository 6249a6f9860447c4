import { prepareDemonstration } from '@agent/simulators/demo';
import { type CommentSection, demoAccounts, listSteps, readComment } from '@agent/simulators/demo/parts';
import { runDaemon, toDaemonEnvironment } from '../run-daemon.ts';
import { writeConfiguration } from '../write-configuration.ts';

/** What the issue of the demonstration showed around the comment that changed the plan. */
export interface RecordedIssue {
  readonly agent: string;
  readonly user: string;
  /** The agent's comment when it first showed a plan. */
  readonly before: readonly CommentSection[];
  readonly comment: string;
  /** True if the agent reacted to the comment with 👀. */
  readonly isSeen: boolean;
  /** The agent's comment when it first showed the changed plan. */
  readonly after: readonly CommentSection[];
  /** The first section of the agent's last comment, with the line about the draft alone. */
  readonly report: CommentSection;
}

/**
 * Runs the demonstration: the real daemon on the simulated GitHub. `directory` is empty and stays with the run's files.
 *
 * @throws if the plan did not change, or no draft was opened
 */
export async function recordIssue(directory: string, environment: NodeJS.ProcessEnv): Promise<RecordedIssue> {
  const demonstration = await prepareDemonstration();
  try {
    const daemon = runDaemon({
      configPath: await writeConfiguration(directory, demonstration.configuration),
      environment: toDaemonEnvironment(environment, demonstration.environment),
      onLine: demonstration.daemonSays,
    });
    await daemon.ended;
    const { reporter: user, robot: agent } = demoAccounts;
    const states = demonstration.forge.progress().map(readComment);
    const before = states.find((state) => listSteps(state).length > 0);
    const after = before && states.find((state) => hasOtherSteps(state, before));
    const { comments } = demonstration.forge.issue();
    const comment = comments.find(({ author }) => author === user);
    const report = findReport(comments.at(-1)?.body ?? '', demonstration.result().changeRequest?.reference);
    if (before === undefined || after === undefined || comment === undefined || report === null)
      throw new Error('the plan did not change, or no draft was opened: see `npm start -- --verbose`');
    const { body, isSeen } = comment;
    return { agent, user, before, comment: body, isSeen, after, report };
  } finally {
    await demonstration.close();
  }
}

function hasOtherSteps(state: readonly CommentSection[], before: readonly CommentSection[]): boolean {
  const steps = listSteps(state);
  return steps.length > 0 && steps.join() !== listSteps(before).join();
}

function findReport(body: string, draft = ''): CommentSection | null {
  const [first] = readComment(body);
  const lines = first?.lines.filter((line) => draft !== '' && line.includes(draft)) ?? [];
  return first === undefined || lines.length === 0 ? null : { ...first, lines };
}
