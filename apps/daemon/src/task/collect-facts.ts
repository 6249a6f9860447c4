import { PlatformError, type PlatformThread, type Thread } from '@agent/platforms';
import { chooseBranch } from './choose-branch.ts';
import { localeOf } from './locale.ts';
import type { RunFacts } from './run-parts.ts';

export interface CollectFactsOptions {
  readonly locale: 'auto' | 'ja' | 'en';
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds out what a run works on: for an issue a branch of its own, for a pull request that request's own head.
 *
 * @throws PlatformError `invalid` where there is nothing to work on: no repository, or a head whose fork is gone
 */
export async function collectFacts(
  snapshot: { readonly thread: Thread; readonly ports: PlatformThread },
  options: CollectFactsOptions,
): Promise<RunFacts> {
  const { thread, ports } = snapshot;
  const { signal } = options;
  if (ports.repository === null || ports.changeRequests === null) {
    throw invalid(`${thread.url}: this platform has no repository to work in.`);
  }
  const repository = await ports.repository.describe({ signal });
  const common = {
    number: thread.number,
    title: thread.title,
    url: thread.url,
    locale: localeOf(thread, { setting: options.locale }),
  };
  if (thread.changeRequest === null) {
    return {
      ...common,
      kind: 'issue',
      repository: repository.path,
      cloneUrl: repository.cloneUrl,
      branch: await chooseBranch(ports.changeRequests, {
        number: thread.number,
        title: thread.title,
        signal,
      }),
      baseBranch: repository.defaultBranch,
    };
  }
  const { headBranch, headCloneUrl, headRepository, baseBranch } = thread.changeRequest;
  if (headCloneUrl === null || headRepository === null) {
    throw invalid(
      `${thread.url}: the repository of its head branch was deleted, so nothing can be pushed to it.`,
    );
  }
  return {
    ...common,
    kind: 'pull request',
    repository: headRepository,
    cloneUrl: headCloneUrl,
    branch: headBranch,
    baseBranch,
  };
}

function invalid(message: string): PlatformError {
  return new PlatformError(message, { code: 'invalid' });
}
