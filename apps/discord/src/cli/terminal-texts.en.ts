const portal = 'https://discord.com/developers/applications';

/** Everything that the command line says, in English. */
export const terminalTextsEn = {
  program: 'Answers in Discord threads; the thread is its only memory.',
  run: 'answer until it is told to stop',
  doctor: 'check everything that answering needs, and say what to fix',
  envFile: 'file with the settings',
  wrongSettings: 'The settings are not right:',
  /** Each says what is wrong with a line of `.env`. */
  envProblems: {
    'no-equals': () => 'this line has no "=" and is ignored. Write NAME=value.',
    'invalid-name': () =>
      'the text before "=" is not the name of a variable, so this line is ignored. Write NAME=value.',
    'unclosed-quote': (name: string) =>
      `the quote that begins the value of ${name} is never closed. Close it.`,
    'cut-value': (name: string) =>
      `the value of ${name} ends before the "#", which begins a comment. Put the value in quotes.`,
    'text-after-quote': (name: string) =>
      `the text after the closing quote of ${name} is ignored. Remove it.`,
  },
  tokenMissing: `DISCORD_TOKEN is missing. Open ${portal} → your application → Bot → "Reset Token", and write DISCORD_TOKEN=… into .env.`,
  wrongToken: `Discord does not accept DISCORD_TOKEN. Open ${portal} → your application → Bot → "Reset Token", and put the new one into .env.`,
  missingIntents: `Discord refuses the connection because "Message Content Intent" is off. Open ${portal} → your application → Bot → "Privileged Gateway Intents", switch on "Message Content Intent", save, and start again.`,
  discordUnreachable: (reason: string) =>
    `Cannot connect to Discord (${reason}). Check the network and https://discordstatus.com, then start again.`,
  stopping: (seconds: number) =>
    `Stopping: answers under way have ${seconds} s to finish. Press Ctrl-C again to stop at once.`,
  modelUnreachable: (url: string, reason: string) =>
    `No model answers at ${url} (${reason}). In LM Studio: load a model, then Developer → "Start server" (or run: lms server start). If it runs elsewhere, set LM_BASE_URL.`,
  addressWithoutPath: (url: string) =>
    `LM_BASE_URL (${url}) has no path. LM Studio's begins at /v1: try ${url}/v1`,
  settingsOk: 'The settings are right.',
  loggedIn: (bot: string, servers: number) => `Logged in as ${bot}; it is a member of ${servers} server(s).`,
  noServer: (inviteUrl: string) => `The bot is on no server yet. Invite it: ${inviteUrl}`,
  missingPermissions: (server: string, permissions: string) =>
    `${server}: the bot lacks ${permissions}. Server settings → Roles → the bot's role.`,
  channelLacks: (server: string, channel: string, permissions: string) =>
    `${server}, #${channel}: the bot lacks ${permissions} there. If it is to answer there: Edit channel → Permissions.`,
  modelAnswers: (milliseconds: number) => `The model answers (${milliseconds} ms).`,
  modelFails: (reason: string) => `The model is there but does not answer: ${reason}.`,
  loadModel: 'In LM Studio, load a model.',
  modelRefusesKey: 'The server asks for a key: write it into .env as LM_API_KEY=….',
  modelTakesLong:
    'Loading a large model takes a while: try again, or give it more time with LM_TIMEOUT_SECONDS.',
  allWell: 'All is well. Start with: agent-discord',
  toFix: (count: number) => `${count} problem(s) to fix.`,
};

/** The same, in any language. */
export type TerminalTexts = typeof terminalTextsEn;
