/** Event that started a job, in the same form for each platform. */
export interface JobEvent {
  readonly platform: 'github' | 'gitlab';
  /** Name of the event in the platform's own words: `issue_comment`, `note`. */
  readonly name: string;
  /** Change that it reports, in the platform's own words; null if the event has none. */
  readonly action: string | null;
  readonly repository: JobRepository;
  readonly thread: JobThread | null;
  readonly actor: JobActor;
  /** Text of the comment or review; null for an event without one. */
  readonly text: string | null;
}

/** Repository that a job works for. */
export interface JobRepository {
  /** `owner/name`, or the path of a project. */
  readonly path: string;
  /** Address of its platform's pages: `https://github.com`. */
  readonly serverUrl: string;
  /** Address for the configuration of the platform: `https://api.github.com`, `https://gitlab.com`. */
  readonly apiUrl: string;
  /** Address for git, without credentials. */
  readonly cloneUrl: string;
  /** False if only its members can read it. */
  readonly isPublic: boolean;
}

/** Issue, pull request or merge request of an event. */
export interface JobThread {
  readonly kind: 'issue' | 'request';
  readonly number: number;
  readonly url: string;
  /** Branch of a pull or merge request; null for an issue, and where the event does not say. */
  readonly branch: string | null;
  /** True if its branch is in another repository; null where the event does not say. */
  readonly isFromFork: boolean | null;
}

/** Account that caused an event. */
export interface JobActor {
  readonly login: string;
  readonly isBot: boolean;
}
