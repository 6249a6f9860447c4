/** What a configuration is written from. */
export interface InitAnswers {
  readonly platform: 'github' | 'gitlab';
  /** `owner/repo` or `group/project`; at least one. */
  readonly repositories: readonly string[];
  /** API address of a server of one's own; null for github.com or gitlab.com. */
  readonly baseUrl: string | null;
  /** Null for an endpoint of which only the address is known: no key is sent there unless one is named. */
  readonly preset: 'openai' | 'lmstudio' | 'ollama' | null;
  readonly model: string;
  /** Address of the model endpoint; null for that of the preset. */
  readonly llmBaseUrl: string | null;
  /** Null for that of the preset. */
  readonly api: 'responses' | 'chat' | null;
}

/** Variables that hold the secrets of such a configuration. */
export function listSecretNames({ platform, preset }: InitAnswers): readonly string[] {
  const token = platform === 'github' ? 'GITHUB_TOKEN' : 'GITLAB_TOKEN';
  return preset === 'openai' ? [token, 'OPENAI_API_KEY'] : [token];
}
