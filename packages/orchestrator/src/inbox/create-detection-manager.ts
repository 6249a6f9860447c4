import { CommentDetectionManager, toCommentDetectionOptions } from '@agent/comment-detection';
import { noRejections } from '../pre-plan/rejections.ts';
import { toAccount } from './create-trust.ts';
import { identifyAgent } from './identify-agent.ts';
import { markHandledCommands } from './mark-handled-commands.ts';
import { markInternal } from './mark-internal.ts';
import type { RunInboxOptions } from './run-inbox-options.ts';

/**
 * Makes what finds new, edited and deleted comments for one run, and puts them into words for the model. `urls` says where
 * comments stand, by their ids.
 */
export function createDetectionManager(
  options: RunInboxOptions & { readonly urls: ReadonlyMap<string, string> },
): CommentDetectionManager {
  const { settings, isTrusted, guard, urls, rejections = noRejections } = options;
  return new CommentDetectionManager(options.comments, {
    ...toCommentDetectionOptions(settings),
    ...identifyAgent({ ...options, botName: settings.bot_username ?? options.botName }),
    ...options.clock,
    authorityOf: async ({ author }, call) =>
      (await isTrusted(toAccount(author), call)) ? 'trusted' : 'untrusted',
    cleanText: (text, { id }) => guard.clean(text, urls.get(id)),
    prepareBody: (comment, { authority }) => {
      const { author, body } = comment;
      const text = authority === 'trusted' ? rejections.tell(markHandledCommands(body)) : body;
      return guard.wrap(markInternal(text, comment), { author: author?.login ?? null, authority });
    },
    startedAt: options.startedAt,
    taskUuid: options.uuid,
    logLocale: options.logLocale,
    logger: options.logger,
  });
}
