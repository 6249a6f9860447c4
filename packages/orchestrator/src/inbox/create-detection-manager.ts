import { CommentDetectionManager, toCommentDetectionOptions } from '@agent/comment-detection';
import { noRejections } from '../pre-plan/rejections.ts';
import { toAccount } from './create-trust.ts';
import { identifyAgent } from './identify-agent.ts';
import type { RunEarsOptions } from './run-ears-options.ts';
import { sayInternal } from './say-internal.ts';
import { sayObeyed } from './say-obeyed.ts';

/**
 * Makes what finds new, edited and deleted comments for one run, and puts them into words for the model. `urls` says where
 * comments stand, by their ids.
 */
export function createDetectionManager(
  options: RunEarsOptions & { readonly urls: ReadonlyMap<string, string> },
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
      const text = authority === 'trusted' ? rejections.tell(sayObeyed(body)) : body;
      return guard.wrap(sayInternal(text, comment), { author: author?.login ?? null, authority });
    },
    startedAt: options.startedAt,
    taskUuid: options.uuid,
    logLocale: options.logLocale,
    logger: options.logger,
  });
}
