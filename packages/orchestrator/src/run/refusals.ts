import type { PlatformThread, Thread } from '@agent/platforms';
import { type Locale, localeOf } from '@agent/text';
import type { TrustPolicy } from '../inbox/create-trust.ts';
import type { TaskThread, TaskTrigger } from '../triggers/task-trigger.ts';
import type { HandoverRefusal } from './check-handover.ts';
import type { ConfiguredPlatform } from './run.ts';
import { runTexts } from './texts.ts';

/** Why a thread is not worked on, in the languages of threads: what is wrong, and what to do. */
export type Refusal = Readonly<Record<Locale, string>>;

const fork: Refusal = {
  en: 'The head branch of this request lies in a fork. The agent works on branches of this repository only: it could not bring its changes to the fork, and would run its code before anybody looked at it. Push the branch to this repository and open the request from there, or say in an issue what is to be done.',
  ja: 'このリクエストの head ブランチはフォークにあります。エージェントが作業できるのは、このリポジトリのブランチだけです。フォークには変更を反映できず、誰も確認していないコードを実行することになるためです。ブランチをこのリポジトリにプッシュしてリクエストを作り直すか、依頼内容を Issue に書いてください。',
};

const confidential: Refusal = {
  en: 'This issue is confidential, and the project is read by people who may not read the issue. The branch and the merge request would show them what it is about. Say what they may know in an issue that is not confidential. (The operator can allow it with `platforms.gitlab.confidential_issues: allow`: then branch, commits and request are named by the number alone, but the changes themselves can be read.)',
  ja: 'この Issue は機密扱いですが、プロジェクト自体は Issue を閲覧できない人にも公開されています。ブランチやマージリクエストから内容が伝わってしまうため、作業を開始しません。公開してよい範囲を、機密扱いでない Issue に書いてください。（運用者は `platforms.gitlab.confidential_issues: allow` で許可できます。その場合、ブランチ・コミット・リクエストには番号だけが使われますが、変更内容そのものは閲覧できます。）',
};

/** Finds out why there must not be a run on this thread; null where there may. Asks about the repository only where it matters. */
export async function findRefusal(
  thread: Thread,
  {
    ports,
    confidentialIssues,
    signal,
  }: {
    readonly ports: Pick<PlatformThread, 'repository'>;
    readonly confidentialIssues: ConfiguredPlatform['confidentialIssues'];
    readonly signal?: AbortSignal | undefined;
  },
): Promise<Refusal | null> {
  if (thread.changeRequest?.fromFork === true) return fork;
  if (!thread.confidential || confidentialIssues === 'allow' || ports.repository === null) return null;
  const { private: isPrivate } = await ports.repository.describe({ signal });
  return isPrivate ? null : confidential;
}

/**
 * Sends a thread back to people before there is a run: one comment that says why, then the label of what failed, so that
 * it is not begun again until somebody labels it anew. Repeating it is safe.
 */
export async function refuseThread(
  refusal: Refusal,
  {
    thread,
    ports,
    trigger,
    locale: setting,
    signal,
  }: {
    readonly thread: Thread;
    readonly ports: Pick<PlatformThread, 'writer'> & TaskThread;
    readonly trigger: TaskTrigger;
    readonly locale: 'auto' | Locale;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const locale = localeOf(thread, { setting });
  const text = runTexts[locale];
  const body = [text.failed, `${text.reason} ${refusal[locale]}`, trigger.texts[locale].retry].join('\n\n');
  await ports.writer.ensureComment({ topic: 'run:refused:final', body, signal });
  await trigger.setState(ports, { state: 'failed', thread, signal });
}

export interface RefusedHandover {
  readonly ports: Pick<PlatformThread, 'writer'> & TaskThread;
  readonly trigger: Pick<TaskTrigger, 'release' | 'texts'>;
  readonly refusal: HandoverRefusal;
  readonly policy: Pick<TrustPolicy, 'collaborators'>;
  readonly locale: Locale;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Gives a thread back to people: one comment for each time that it was given and each reason, which says why and who may,
 * and then it is released. Repeating it is safe. Where nobody can say when it was given, there is one each day.
 */
export async function refuseHandover(refused: RefusedHandover): Promise<void> {
  const { ports, trigger, refusal, now, signal } = refused;
  const at = refusal.at ?? new Date(now()).toISOString().slice(0, 10);
  const topic = `handover:${at}:${refusal.reason === 'edit' ? refusal.part : 'label'}`;
  await ports.writer.ensureComment({ topic, body: formatRefusal(refused), signal });
  await trigger.release(ports, { signal });
}

/** Formats what people read about it, in the language of the thread. */
export function formatRefusal({
  trigger,
  refusal,
  policy,
  locale,
}: Pick<RefusedHandover, 'refusal' | 'policy' | 'locale'> & {
  readonly trigger: Pick<TaskTrigger, 'texts'>;
}): string {
  const text = trigger.texts[locale];
  const why = refusal.reason === 'giver' ? text.notGiven(refusal.actor) : text.changed(refusal);
  return `${why}\n\n${text.giveAgain(whoMay[locale](policy.collaborators))}`;
}

const whoMay: Readonly<Record<Locale, (collaborators: boolean) => string>> = {
  en: (collaborators) =>
    collaborators
      ? 'people with write permission in this repository'
      : 'people who are named in my configuration (`trust`)',
  ja: (collaborators) =>
    collaborators ? 'このリポジトリに書き込み権限のある人' : '設定 (`trust`) に名前のある人',
};
