import { createHmac } from 'node:crypto';
import { type SimulatedDelivery, toDeliveryId } from '../../shared/webhook-delivery.ts';
import type { Urls } from '../http/urls.ts';
import { findComment } from '../state/comments.ts';
import { takeId } from '../state/create-state.ts';
import type { Repository, Thread } from '../state/model.ts';
import { seededRepository } from '../state/repositories.ts';
import { findThread } from '../state/threads.ts';
import type { World } from '../state/world.ts';
import { showComment } from '../views/comment-view.ts';
import { showIssue } from '../views/issue-view.ts';
import { showLabel } from '../views/label-view.ts';
import { showSinglePull } from '../views/pull-view.ts';
import { showRepository } from '../views/repository-view.ts';
import { showUser } from '../views/user-view.ts';
import type { RepositoryHappening, SimulatedHappening } from './happening.ts';
import { tellCheck } from './tell-check.ts';
import { tellAddressee, tellInstallation } from './tell-installation.ts';
import { tellReview } from './tell-review.ts';
import type { Told } from './told.ts';

/** Base of the payload's addresses, and the secret that signs it. */
export interface DeliveryOptions {
  readonly urls: Urls;
  readonly secret: string;
}

/**
 * What GitHub would post about this now, signed with the secret of the webhook.
 *
 * @see https://docs.github.com/en/webhooks/webhook-events-and-payloads#delivery-headers
 */
export function composeDelivery(
  world: World,
  happening: SimulatedHappening,
  { urls, secret }: DeliveryOptions,
): SimulatedDelivery {
  const { sender, ...told } =
    'repo' in happening
      ? tellRepository(world, happening, urls)
      : tellInstallation(world.state, happening, urls);
  const body = Buffer.from(JSON.stringify({ ...told, sender: showUser(sender, urls) }));
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'GitHub-Hookshot/simulator',
      'x-github-event': happening.event,
      'x-github-delivery': toDeliveryId(takeId(world.state)),
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
  };
}

function tellRepository(world: World, happening: RepositoryHappening, urls: Urls): Told {
  const repository = seededRepository(world.state, happening.repo);
  return {
    ...tell(world, repository, { happening, urls }),
    repository: showRepository(repository, { urls, viewer: null }),
    ...tellAddressee(world.state, happening.installation),
  };
}

function tell(
  world: World,
  repository: Repository,
  { happening, urls }: { readonly happening: RepositoryHappening; readonly urls: Urls },
): Told {
  switch (happening.event) {
    case 'ping': {
      const hook = { type: 'Repository', active: true, events: ['issue_comment', 'issues'] };
      return { sender: repository.owner, zen: 'Keep it logically awesome.', hook };
    }
    case 'issue_comment': {
      const comment = findComment(repository, happening.commentId);
      return {
        sender: comment.author,
        action: happening.action,
        issue: showIssue(comment.thread, urls),
        comment: showComment(comment, urls),
      };
    }
    case 'issues':
    case 'pull_request': {
      const thread = findThread(repository, happening.number);
      return {
        sender: thread.author,
        action: happening.action,
        ...(happening.event === 'issues'
          ? { issue: showIssue(thread, urls) }
          : tellPull(world, thread, { urls, before: happening.before })),
        ...tellLabel(thread, happening.label, urls),
      };
    }
    case 'pull_request_review':
    case 'pull_request_review_comment':
    case 'pull_request_review_thread':
      return tellReview(repository, happening, urls);
    default:
      return tellCheck(happening, { repository, urls, now: world.state.now() });
  }
}

/** Whether it can be merged is not known yet while its webhooks go out. */
function tellPull(
  { git }: World,
  thread: Thread,
  { urls, before }: { readonly urls: Urls; readonly before: string | undefined },
): object {
  const { pull, repository } = thread;
  if (!pull) throw new Error(`#${thread.number} is no pull request.`);
  const read = (...args: readonly string[]) => git.readSync(repository.gitDirectory, args);
  const range = `${pull.baseSha}...${pull.headSha}`;
  const files = read('diff', '--numstat', range)
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t').map((count) => Number(count) || 0));
  const facts = {
    mergeable: null,
    mergeableState: 'unknown',
    commits: Number(read('rev-list', '--count', `${pull.baseSha}..${pull.headSha}`)),
    additions: files.reduce((sum, [added = 0]) => sum + added, 0),
    deletions: files.reduce((sum, [, removed = 0]) => sum + removed, 0),
    changedFiles: files.length,
  };
  return {
    number: thread.number,
    pull_request: showSinglePull(thread, pull, { seen: { urls, viewer: null }, facts }),
    ...(before === undefined ? {} : { before, after: pull.headSha }),
  };
}

function tellLabel(thread: Thread, name: string | undefined, urls: Urls): object {
  const labels = [...thread.repository.labels.values()];
  const label = labels.find((one) => one.name.toLowerCase() === name?.toLowerCase());
  return label ? { label: showLabel(thread.repository, label, urls) } : {};
}
