/** What `init` asks, says and writes, in one language. */
export interface InitTexts {
  readonly questions: {
    readonly platform: string;
    readonly repositories: string;
    readonly baseUrl: string;
    readonly preset: string;
    readonly model: string;
    readonly llmBaseUrl: string;
  };
  readonly oneOf: (choices: string) => string;
  readonly needed: string;
  readonly defaultsTo: (value: string) => string;
  readonly none: string;
  readonly missing: (options: string) => string;
  readonly exists: (files: string) => string;
  readonly written: (file: string) => string;
  readonly next: (names: string) => string;
  readonly aborted: string;
  /** Lines of comment in the configuration. */
  readonly comments: {
    readonly head: readonly string[];
    readonly repositories: string;
    readonly baseUrl: string;
    readonly token: string;
    readonly labels: string;
    readonly preset: string;
    readonly model: string;
    readonly llmBaseUrl: string;
    readonly api: string;
    readonly key: string;
    readonly locale: string;
    readonly poll: string;
    readonly concurrency: string;
    readonly limits: string;
    readonly tools: string;
    readonly sandbox: string;
    readonly network: string;
    readonly inheritance: string;
    readonly planning: string;
    readonly http: string;
    readonly webhooks: string;
    readonly secrets: readonly string[];
  };
}
