import { CommentDetectionManager, type CommentSource } from '@agent/comment-detection';
import { createReadOnlyTools, createStructuredOutput, PrePlanningManager } from '@agent/pre-planning';
import { createMemoryRunJournal, type RunTools } from '@agent/runner';
import { PlanningCoordinator } from '@agent/runner/planning';
import { cleanUntrustedText } from '@agent/text';
import type { LanguageModel } from 'ai';

/** Works on a request with a plan, and follows the comments that arrive meanwhile. */
export async function work(model: LanguageModel, tools: RunTools, thread: CommentSource, request: string) {
  const comments = new CommentDetectionManager(thread, {
    botUsername: 'my-agent',
    authorityOf: ({ author }) => (author?.login === 'alice' ? 'trusted' : 'untrusted'),
    cleanText: (text) => cleanUntrustedText(text).text,
  });
  await comments.initialize(); // the comments of the request are known from here on
  const task = {
    model,
    tools,
    journal: createMemoryRunJournal(),
    openConversation: async () => ({
      instructions: 'You change code.',
      messages: [{ role: 'user' as const, content: request }],
    }),
  };
  const coordinator = new PlanningCoordinator({ task });
  coordinator.commentDetectionManager = comments;
  const source = createStructuredOutput({ model });
  coordinator.prePlanningManager = new PrePlanningManager({ source, tools: createReadOnlyTools(tools) });
  return coordinator.executeWithPlanning();
}
