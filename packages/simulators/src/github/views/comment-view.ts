import { issueApi, repositoryApi, threadPage, type Urls } from '../http/urls.ts';
import { associationOf } from '../state/access.ts';
import type { Comment } from '../state/model.ts';
import { nodeId } from '../state/node-id.ts';
import type { Vendor } from '../vendor.ts';
import { showReactions } from './reaction-view.ts';
import { showAuthor } from './user-view.ts';

/** The published types of GitHub do not have the field yet. */
type IssueComment = Vendor['issue-comment'] & { readonly minimized: { readonly reason: string } | null };

/** A comment of an issue's or a pull request's conversation. */
export function showComment(comment: Comment, urls: Urls): IssueComment {
  const { thread } = comment;
  const url = `${repositoryApi(urls, thread.repository)}/issues/comments/${comment.id}`;
  return {
    url,
    html_url: `${threadPage(urls, thread)}#issuecomment-${comment.id}`,
    issue_url: issueApi(urls, thread),
    id: comment.id,
    node_id: nodeId('IssueComment', comment.id),
    user: showAuthor(comment.author, urls),
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    author_association: associationOf(thread.repository, comment.author),
    body: comment.body,
    reactions: showReactions(comment.reactions, `${url}/reactions`),
    performed_via_github_app: null,
    minimized: comment.minimizedReason === null ? null : { reason: comment.minimizedReason },
  };
}
