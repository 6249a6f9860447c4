import type { CheckScript, SimulatedCheck } from '../../shared/ci-script.ts';
import { seededProject } from '../state/projects.ts';
import { seededUser } from '../state/users.ts';
import type { World } from '../world.ts';
import { answerHead, report, runAgain } from './answer-head.ts';
import { type CheckState, isRetryable, listCheckStates, listPipelines } from './read-ci.ts';

/** CI of the projects, on the server's clock. `project` is the path, or the id as text. */
export interface SimulatedGitLabCi {
  /**
   * Lets CI answer all heads of merge requests from now on, those that are there first; null ends it. A job that is run again
   * is asked for once more, with the next attempt: a script that fails only in the first is flaky.
   */
  readonly answer: (project: string, script: CheckScript | null) => Promise<void>;
  /** Says what one check finds in a commit. */
  readonly report: (project: string, sha: string, check: SimulatedCheck) => Promise<void>;
  /** Somebody runs all jobs of a commit's newest pipeline again. */
  readonly rerun: (project: string, sha: string, by: string) => void;
  /** Nothing is merged before its pipeline has succeeded; default false. */
  readonly require: (project: string, isRequired: boolean) => void;
  /** All checks of a commit as they stand now. */
  readonly checks: (project: string, sha: string) => readonly CheckState[];
}

/** Plays CI. */
export function createCiControls(world: World): SimulatedGitLabCi {
  const { state } = world;
  const find = (project: string) => seededProject(state, project);
  return {
    answer: async (path, script) => {
      const project = find(path);
      project.ci.script = script;
      for (const thread of project.mergeRequests.values())
        if (thread.state === 'opened') answerHead(world, thread, thread.author);
    },
    report: async (path, sha, check) => {
      const project = find(path);
      const heads = [...project.mergeRequests.values()].filter(({ merge }) => merge?.headSha === sha);
      const ref = heads[0]?.merge?.sourceBranch ?? project.defaultBranch;
      report(state, project, { sha, ref, by: project.creator, checks: [check] });
    },
    rerun: (path, sha, username) => {
      const project = find(path);
      const [pipeline] = listPipelines(project, sha);
      if (!pipeline) throw new Error(`No pipeline ran for ${sha}.`);
      const jobs = pipeline.jobs.filter((job) => isRetryable(job, state.now()));
      runAgain(world, project, { jobs, by: seededUser(state, username) });
    },
    require: (path, isRequired) => {
      find(path).ci.isRequired = isRequired;
    },
    checks: (path, sha) => listCheckStates(find(path), { sha, now: state.now() }),
  };
}
