import { type ReactNode, useState } from "react";
import { useRegistryApi } from "#console/api/registry-queries.js";
import {
  MAX_APP_NAME,
  NAMESPACES,
  PLATFORMS,
  type Platform,
} from "#console/model/registry/registered-app.js";
import { Select } from "#console/ui/choose/select.js";
import { Dialog } from "#console/ui/dialog/dialog.js";
import { ChangeForm, ChoiceField, TextField } from "../../change/change-form.js";
import { useChange } from "../../change/use-change.js";
import type { DialogEnds } from "../../change/use-dialog.js";

const OPTIONS = (Object.keys(PLATFORMS) as Platform[]).map((value) => ({ value, text: PLATFORMS[value] }));

export function CreateAppDialog({ project, onClose, onDone }: { project: string } & DialogEnds): ReactNode {
  const registry = useRegistryApi();
  const [platform, setPlatform] = useState<Platform>("android");
  const [displayName, setDisplayName] = useState("");
  const [namespace, setNamespace] = useState("");
  const [teamId, setTeamId] = useState("");
  const namespaceTitle = NAMESPACES[platform];
  const name = displayName.trim();
  const change = useChange(
    () => {
      const named = namespaceTitle === undefined ? "" : namespace.trim();
      return registry.createApp(project, {
        platform,
        displayName: name,
        namespace: named,
        teamId: teamId.trim(),
      });
    },
    { done: () => onDone(`Registered ${name}.`) },
  );
  return (
    <Dialog title="Register an app" onClose={onClose}>
      <ChangeForm
        action="Register"
        change={change}
        isReady={name !== "" && (namespaceTitle === undefined || namespace.trim() !== "")}
        onCancel={onClose}
        effect={`The server assigns an ID to the new ${PLATFORMS[platform]} app in project ${project}.`}
      >
        <ChoiceField label="Platform">
          <Select label="Platform" options={OPTIONS} chosen={platform} onChoose={setPlatform} />
        </ChoiceField>
        <TextField
          label="Display name"
          value={displayName}
          maxLength={MAX_APP_NAME}
          onChange={setDisplayName}
        />
        {namespaceTitle !== undefined && (
          <TextField
            label={namespaceTitle}
            help="For example: com.example.shop. You cannot change it later."
            value={namespace}
            onChange={setNamespace}
          />
        )}
        {platform === "ios" && (
          <TextField
            label="Apple team ID (optional)"
            help="App Attest needs it. 10 uppercase letters and digits."
            maxLength={10}
            value={teamId}
            onChange={setTeamId}
          />
        )}
      </ChangeForm>
    </Dialog>
  );
}
