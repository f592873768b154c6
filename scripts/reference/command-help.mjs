/** Returns the `--help` text of `waybill` and of each command, by name such as `waybill config history`. */
export async function commandHelp() {
  const { allCommands } = await import("../../dist/cli/run-command.js");
  const texts = new Map();
  for (const command of [await allCommands()]) addHelp(command, "", texts);
  return texts;
}

function addHelp(command, prefix, texts) {
  const name = `${prefix}${command.name()}`;
  let text = "";
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
    getOutHelpWidth: () => 80,
    getOutHasColors: () => false,
  });
  command.outputHelp();
  // Omits help that only repeats that of subcommands.
  if (command.options.length > 0 || command.commands.length === 0) texts.set(name, text);
  for (const below of command.commands) addHelp(below, `${name} `, texts);
}
