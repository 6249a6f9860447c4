import type { Platform } from '../platform.ts';
import type { TaskSummary, WantedComment } from '../ports.ts';
import { formatTaskKey } from '../task-key.ts';

type SaidComment = Pick<WantedComment, 'topic' | 'signal'>;

/** Comments of a run have a topic that begins with the run. */
const isOfRun = (topic: string) => topic.startsWith('run:');

/**
 * Keeps a thread that was worked on from being found again where no label can be changed to say so: it is left out
 * until something on it changes after our report, so that one request is not worked on again and again. It is
 * remembered as long as the process lives; beyond that the adapter's own finder has to know what is done.
 */
export function rememberReported(platform: Platform): Platform {
  const reported = new Map<string, string>();
  return {
    ...platform,
    tasks: {
      listTasks: async (query) => {
        const { tasks, failures } = await platform.tasks.listTasks(query);
        const isNews = ({ key, updatedAt }: TaskSummary) => reported.get(formatTaskKey(key)) !== updatedAt;
        return { tasks: tasks.filter(isNews), failures };
      },
    },
    openThread: (key, options) => {
      const thread = platform.openThread(key, options);
      if (thread.labels !== null) return thread;
      const { reader, writer, ownComments } = thread;
      const remembering =
        <Said extends SaidComment, Result>(write: (comment: Said) => Promise<Result>) =>
        async (comment: Said): Promise<Result> => {
          const written = await write(comment);
          if (isOfRun(comment.topic)) {
            const { updatedAt } = await reader.readThread({ signal: comment.signal });
            reported.set(formatTaskKey(key), updatedAt);
          }
          return written;
        };
      return {
        ...thread,
        writer: { ensureComment: remembering(writer.ensureComment) },
        ownComments: ownComments && { ...ownComments, edit: remembering(ownComments.edit) },
      };
    },
  };
}
