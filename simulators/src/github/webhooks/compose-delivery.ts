import { createHmac } from 'node:crypto';
import { type SimulatedDelivery, toDeliveryId } from '../../shared/webhook-delivery.ts';
import type { Urls } from '../http/urls.ts';
import { findComment } from '../state/comments.ts';
import { takeId } from '../state/create-state.ts';
import type { Repository, State, Thread, User } from '../state/model.ts';
import { seededRepository } from '../state/repositories.ts';
import { findThread } from '../state/threads.ts';
import { showComment } from '../views/comment-view.ts';
import { showIssue } from '../views/issue-view.ts';
import { showLabel } from '../views/label-view.ts';
import { showRepository } from '../views/repository-view.ts';
import { showUser } from '../views/user-view.ts';
import type { SimulatedHappening } from './happening.ts';

/** Base of the payload's addresses, and the secret that signs it. */
export interface DeliveryOptions {
  readonly urls: Urls;
  readonly secret: string;
}

/**
 * What GitHub would post about this now, signed with the secret of the webhook. A pull request is shown as the issue that
 * it is, too.
 *
 * @see https://docs.github.com/en/webhooks/webhook-events-and-payloads#delivery-headers
 */
export function composeDelivery(
  state: State,
  happening: SimulatedHappening,
  { urls, secret }: DeliveryOptions,
): SimulatedDelivery {
  const repository = seededRepository(state, happening.repo);
  const { sender, ...told } = tell(repository, happening, urls);
  const payload = {
    ...told,
    repository: showRepository(repository, { urls, viewer: null }),
    sender: showUser(sender, urls),
  };
  const body = Buffer.from(JSON.stringify(payload));
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'GitHub-Hookshot/simulator',
      'x-github-event': happening.event,
      'x-github-delivery': toDeliveryId(takeId(state)),
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
  };
}

type Told = { readonly sender: User; readonly [key: string]: unknown };

function tell(repository: Repository, happening: SimulatedHappening, urls: Urls): Told {
  if (happening.event === 'ping') {
    const hook = { type: 'Repository', active: true, events: ['issue_comment', 'issues'] };
    return { sender: repository.owner, zen: 'Keep it logically awesome.', hook };
  }
  if (happening.event === 'issue_comment') {
    const comment = findComment(repository, happening.commentId);
    return {
      sender: comment.author,
      action: happening.action,
      issue: showIssue(comment.thread, urls),
      comment: showComment(comment, urls),
    };
  }
  const thread = findThread(repository, happening.number);
  return {
    sender: thread.author,
    action: happening.action,
    [happening.event === 'issues' ? 'issue' : 'pull_request']: showIssue(thread, urls),
    ...tellLabel(thread, happening.label, urls),
  };
}

function tellLabel(thread: Thread, name: string | undefined, urls: Urls): object {
  const labels = [...thread.repository.labels.values()];
  const label = labels.find((one) => one.name.toLowerCase() === name?.toLowerCase());
  return label ? { label: showLabel(thread.repository, label, urls) } : {};
}
