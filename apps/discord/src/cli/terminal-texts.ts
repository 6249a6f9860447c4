import type { LoginTexts } from '../discord/connect-client.ts';
import type { SettingsTexts } from '../settings/parse-settings.ts';

/** What the command line says, in one language. */
export interface TerminalTexts extends LoginTexts, SettingsTexts {
  readonly program: string;
  readonly run: string;
  readonly doctor: string;
  readonly envFile: string;
  readonly stopping: (seconds: number) => string;
  readonly modelUnreachable: (url: string, reason: string) => string;
  readonly addressWithoutPath: (url: string) => string;
  readonly settingsOk: string;
  readonly loggedIn: (bot: string, servers: number) => string;
  readonly noServer: (inviteUrl: string) => string;
  readonly missingPermissions: (server: string, permissions: string) => string;
  readonly channelLacks: (server: string, channel: string, permissions: string) => string;
  readonly modelAnswers: (milliseconds: number) => string;
  readonly modelFails: (reason: string) => string;
  readonly loadModel: string;
  readonly modelRefusesKey: string;
  readonly modelTakesLong: string;
  readonly allWell: string;
  readonly toMend: (count: number) => string;
}
