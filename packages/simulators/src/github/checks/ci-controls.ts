import type { CheckScript, SimulatedCheck } from '../../shared/ci-script.ts';
import type { RequiredChecks } from '../state/check-model.ts';
import { seededRepository } from '../state/repositories.ts';
import { seededUser } from '../state/users.ts';
import type { World } from '../state/world.ts';
import { answerHead, report, runAgain } from './answer-head.ts';
import { jobsOf, pullsAt } from './read-checks.ts';
import { type CheckState, listCheckStates } from './required-checks.ts';

/** How one check of a commit stands. */
export type SimulatedCheckState = CheckState;

/** CI of the repositories, on the server's clock. `repo` is `owner/name`. */
export interface SimulatedCi {
  /**
   * Lets CI answer all heads of pull requests from now on, those that are there first; null ends it. A head that is run again
   * is asked for once more, with the next attempt: a script that fails only in the first is flaky.
   */
  readonly answer: (repo: string, script: CheckScript | null) => Promise<void>;
  /** Says what one check finds in a commit. */
  readonly report: (repo: string, sha: string, check: SimulatedCheck) => Promise<void>;
  /** Somebody runs all jobs of a commit's newest workflow run again. */
  readonly rerun: (repo: string, sha: string, by: string) => void;
  /** Required checks of a branch; null takes the rule away. */
  readonly require: (repo: string, branch: string, checks: RequiredChecks | null) => void;
  /** How all checks of a commit stand now. */
  readonly checks: (repo: string, sha: string) => readonly SimulatedCheckState[];
}

/** Plays CI. */
export function createCiControls(world: World): SimulatedCi {
  const { state } = world;
  const find = (repo: string) => seededRepository(state, repo);
  return {
    answer: async (repo, script) => {
      const repository = find(repo);
      repository.checks.script = script;
      for (const { pull, state: open, author: by } of repository.threads.values())
        if (pull && open === 'open')
          await answerHead(world, repository, { sha: pull.headSha, branch: pull.headBranch, by });
    },
    report: (repo, sha, check) => {
      const repository = find(repo);
      const branch = pullsAt(repository, sha)[0]?.pull?.headBranch ?? repository.defaultBranch;
      return report(world, repository, { sha, branch, by: repository.owner, checks: [check] });
    },
    rerun: (repo, sha, login) => {
      const repository = find(repo);
      const workflow = [...repository.checks.workflows.values()].findLast(
        ({ suite }) => suite.commit.sha === sha,
      );
      const by = seededUser(state, login);
      if (!workflow) throw new Error(`No workflow ran for ${sha}.`);
      runAgain(world, repository, { workflow, jobs: jobsOf(workflow), by });
    },
    require: (repo, branch, checks) => {
      const { required } = find(repo).checks;
      if (checks) required.set(branch, checks);
      else required.delete(branch);
    },
    checks: (repo, sha) => listCheckStates(find(repo), { sha, now: state.now() }),
  };
}
