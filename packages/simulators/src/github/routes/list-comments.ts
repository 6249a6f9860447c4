import { type RepositoryCall, viewerOf } from '../http/requirements.ts';
import { may } from '../state/access.ts';
import type { User } from '../state/model.ts';
import { forbidden } from '../state/refusal.ts';
import { choice, readSince } from './list-issues.ts';

interface Changing {
  readonly id: number;
  readonly updatedAt: string;
}

/** Those that were written or edited at `since` or later. */
export function changedSince<Comment extends Changing>(
  call: RepositoryCall,
  comments: Iterable<Comment>,
): Comment[] {
  const since = readSince(call);
  const all = [...comments];
  return since === null ? all : all.filter((comment) => comment.updatedAt >= since);
}

/** In the order of `sort`, by id without it; `direction` counts only beside it. */
export function inAskedOrder<Comment extends Changing>(call: RepositoryCall, comments: Comment[]): Comment[] {
  const isSorted = call.query.has('sort');
  const sort = choice(call, 'sort', ['created', 'updated']);
  const sign = isSorted && choice(call, 'direction', ['asc', 'desc']) === 'desc' ? -1 : 1;
  const time = (comment: Comment) => (sort === 'updated' ? comment.updatedAt : '');
  // Times in one form and zone have the order of their letters, which a comparison by language takes long to find.
  const compare = (one: string, other: string) => Number(one > other) - Number(one < other);
  return comments.sort((one, other) => sign * (compare(time(one), time(other)) || one.id - other.id));
}

/** What others wrote takes write access to change. @throws {Refusal} 403 */
export function mustOwn(call: RepositoryCall, { author }: { readonly author: User }): void {
  const viewer = viewerOf(call);
  if (author !== viewer && !may(call.repository, viewer, 'write')) throw forbidden();
}
