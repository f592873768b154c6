"""Calls a running Waybill with the public Python client, built from the discovery documents.

Reads calls from standard input and writes their outcomes, each as a line of JSON:

    {"api": "integrity", "resource": "projects.apps.appAttestConfig", "method": "get", "arguments": {"name": "..."}}
    {"responses": [{"name": "...", "tokenTtl": "3600s"}]}

Lists are read to their end with `list_next`. Failures are reported with status and details.
"""

import json
import sys
import urllib.request

import google.oauth2.credentials
import httplib2
from googleapiclient.discovery import build, build_from_document
from googleapiclient.errors import HttpError

VERSIONS = {"integrity": "v1", "messagingdata": "v1beta1", "firebase": "v1beta1", "resourcemanager": "v1"}


def http_with(token):
    """An HTTP client without support for renewing tokens."""
    http = httplib2.Http()
    send = http.request

    def send_with_token(uri, method="GET", body=None, headers=None, **rest):
        return send(uri, method, body, {**(headers or {}), "authorization": "Bearer " + token}, **rest)

    http.request = send_with_token
    return http


def service(url, api, token, by):
    version = VERSIONS[api]
    credentials = google.oauth2.credentials.Credentials(token)
    if by == "build":
        return build(
            api,
            version,
            discoveryServiceUrl=url + "/$discovery/rest?version={apiVersion}",
            credentials=credentials,
            cache_discovery=False,
        )
    with urllib.request.urlopen(f"{url}/$discovery/rest?version={version}") as response:
        document = response.read()
    if by == "http":
        return build_from_document(document, http=http_with(token))
    return build_from_document(document, credentials=credentials)


def responses(resource, method, arguments, lines):
    request = getattr(resource, method)(**arguments)
    if lines is not None:
        # The client accepts JSON bodies only; replace the body to send other bytes.
        request.body = lines
        request.body_size = len(lines)
        request.headers["content-type"] = "application/x-ndjson"
    while request is not None:
        response = request.execute()
        yield response
        request = resource.list_next(request, response) if method == "list" else None


def outcome(resource, method, arguments, lines):
    try:
        return {"responses": list(responses(resource, method, arguments, lines))}
    except HttpError as error:
        return {"status": error.resp.status, "error": json.loads(error.content)["error"], "text": str(error)}
    except TypeError as error:
        return {"rejectedByClient": str(error)}


def main():
    settings = json.loads(sys.argv[1])
    token, by = settings["token"], settings["by"]
    services = {api: service(url, api, token, by) for api, url in settings["urls"].items()}
    for line in sys.stdin:
        call = json.loads(line)
        resource = services[call["api"]]
        for name in call["resource"].split("."):
            resource = getattr(resource, name)()
        print(json.dumps(outcome(resource, call["method"], call["arguments"], call.get("lines"))), flush=True)


main()
