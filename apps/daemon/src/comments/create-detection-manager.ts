import { CommentDetectionManager, toCommentDetectionOptions } from '@agent/comment-detection';
import { noRejections } from '../pre-planning/rejections.ts';
import { toAccount } from './create-trust.ts';
import { identifyAgent } from './identify-agent.ts';
import type { RunEarsOptions } from './run-ears-options.ts';
import { sayObeyed } from './say-obeyed.ts';

/** What finds new, edited and deleted comments for one run, and puts them into words for the model. */
export function createDetectionManager(options: RunEarsOptions): CommentDetectionManager {
  const { settings, isTrusted, guard, rejections = noRejections } = options;
  return new CommentDetectionManager(options.comments, {
    ...toCommentDetectionOptions(settings),
    ...identifyAgent({ ...options, botName: settings.bot_username ?? options.botName }),
    ...options.clock,
    authorityOf: async ({ author }, call) =>
      (await isTrusted(toAccount(author), call)) ? 'trusted' : 'untrusted',
    cleanText: guard.clean,
    prepareBody: ({ author, body }, { authority }) => {
      const text = authority === 'trusted' ? rejections.tell(sayObeyed(body)) : body;
      return guard.wrap(text, { author: author?.login ?? null, authority });
    },
    startedAt: options.startedAt,
    taskUuid: options.uuid,
    logLocale: options.logLocale,
    logger: options.logger,
  });
}
