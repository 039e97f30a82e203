"""Named patterns, conventions, standards and faults, and the words that say what the name beside them is.

A blank within a term is written as an underscore.
"""

from __future__ import annotations

PATTERNS = """
abstract_factory active_record adapter_pattern anti-corruption_layer api_gateway_pattern backend_for_frontend
backpressure blue-green blue-green_deployment blue/green blue/green_deployment blue_green_deployment
branch_by_abstraction builder_pattern bulkhead bulkhead_pattern cache-aside cache_aside canary canary_deployment
canary_release canary_releases change_data_capture circuit_breaker circuit_breakers clean_architecture
command_query_responsibility_segregation compare-and-swap competing_consumers consistent_hashing
consumer-driven_contracts contract_testing contract_tests copy-on-write cqrs cursor-based_pagination cursor_pagination
dead-letter_queue dead_letter_queue decorator_pattern dependency_injection dependency_inversion domain-driven_design
domain_driven_design double-checked_locking double_write dual_write dual_writes event-driven_architecture
event_sourcing eventual_consistency expand-contract expand/contract expand_and_contract exponential_backoff facade
facade_pattern factory_method factory_pattern fan-out feature_toggle feature_toggles flyweight gitops golden_file
golden_files golden_master hexagonal_architecture infrastructure_as_code inversion_of_control keyset_pagination
lazy_loading leader_election leaky_bucket long_polling map-reduce mapreduce mediator_pattern microservices
model-view-controller modular_monolith mutual_tls mvc mvvm n+1_query null_object null_object_pattern object_pool
observer_pattern onion_architecture optimistic_concurrency optimistic_locking optimistic_ui optimistic_updates outbox
outbox_pattern page_object page_object_pattern pessimistic_locking ports_and_adapters producer-consumer
property-based_testing pub/sub publish-subscribe railway-oriented_programming rate_limiting read-through_cache
read_replica repository_pattern request_coalescing retry_with_backoff rolling_deployment rolling_update saga
saga_pattern server-sent_events service_locator service_mesh service_object shadow_traffic sharding sidecar_pattern
single_writer singleton snapshot_testing soft_delete soft_deletes specification_pattern stale-while-revalidate
state_machine strangler_fig strangler_pattern strategy_pattern template_method test_pyramid token_bucket
transaction_script transactional_outbox two-phase_commit unit_of_work value_object value_objects visitor_pattern
write-ahead_log write-behind write-through write_ahead_log zero-downtime_deployment
"""

CONVENTIONS = """
airbnb_style airbnb_style_guide bem black_style calver camel_case camelcase composition_over_inheritance
conventional_commit conventional_commits git_flow gitflow github_flow google_docstrings google_style
google_style_guide kebab-case kebab_case keep_a_changelog numpy_docstrings pascal_case pascalcase pep257 pep8 pep_257
pep_8 screaming_snake_case semantic_versioning semver snake_case standard.js trunk-based trunk-based_development yagni
"""

# Protocols, formats, standards, algorithms.
CONCEPTS = """
acl acls advisory_lock advisory_locks aes amqp aof aria arm64 ascii asgi avro b-tree base64 bgp ble bloom_filter bm25
btree can_bus cap_theorem cbor cdn cidr coap connection_pooler cors crdt crdts csp csr csrf css csv
daylight_saving_time daylight_savings ddl dhcp dml dns dst dtls ebpf ecdsa ed25519 elf fifo gdpr geojson gpio graphql
grpc gzip hal+json hdfs heif hid hipaa hls hmac hnsw hsts html html5 http http/1.1 http/2 http/3 http2 http3 https i2c
iban icmp ieee_754 imap ipv4 ipv6 iso_27001 iso_8601 ivfflat jdbc json json-rpc json:api json_schema jsonb jsonl
jsonpath jtag jwt jwts kerberos latin-1 ldif lfu lidar lru lz4 mcp md5 mime modbus mqtt mtls mvcc nat ndjson nfc ntp
oauth oauth2 oauth_2.0 odbc oidc olap oltp opc-ua openapi openid_connect opentracing parquet passkeys pbkdf2 pci_dss
pdf pgp pii pkce pop3 proto3 protobuf protobufs protocol_buffers pwa pwm quic raft rbac rdb regex rest restful
rfc_3339 rfc_7807 rls rpc rsa rss rtsp saml saml2 scim sctp sftp sha-1 sha-256 sha1 sha256 smtp smtps snmp soap soc_2
spa sparql sql sse ssh ssl sso ssr strictmode svg syslog tcp tf-idf tls toml totp uart udp ulid unicode utf-16 utf-8
utf8 uuid uuids uuidv7 vlan vpn wal wasm wcag webassembly webauthn webdav webgl webgpu webhook webhooks webrtc
websocket websockets wgs84 winrm wsgi x.509 x509 xml xmpp xpath xslt yaml zigbee zlib zstd
"""

# What goes wrong, by name.
ERRORS = """
bad_gateway broken_pipe buffer_overflow bus_error clusterdown connection_refused connection_reset
connection_reset_by_peer core_dump crashloopbackoff createcontainerconfigerror crossslot data_race deadlock deadlocks
double_free errimagepull gateway_timeout heap_corruption heap_out_of_memory imagepullbackoff infinite_loop
internal_server_error invalid_grant kernel_panic memory_leak misconf no_space_left_on_device noscript null_pointer
null_pointer_exception nullpointer oom oom-killed oomkilled ooms out_of_memory permission_denied race_condition
segfault segfaults segmentation_fault service_unavailable split_brain stack_overflow too_many_open_files
use-after-free wrongtype
"""

# Files that go without an extension, or whose name says all.
FILES = """
.babelrc .bashrc .dockerignore .editorconfig .env .envrc .eslintrc .flake8 .gitattributes .gitignore .npmrc .nvmrc
.prettierrc .pylintrc .terraformignore .tool-versions .vimrc .zshrc appfile authorized_keys berksfile brewfile
caddyfile capfile cartfile changelog codeowners containerfile crontab dockerfile earthfile fastfile gemfile guardfile
id_rsa jenkinsfile justfile known_hosts license makefile node_modules pipfile podfile procfile rakefile readme
sdkconfig taskfile tiltfile vagrantfile
"""

EXTENSIONS = frozenset(
    """asciidoc avro avsc bak bash bat bazel bib bin bmp bz2 c cc cfg cjs clj cmake conf cpp cs csproj css
    csv cts cu cxx dart dat db diff dll dockerfile docx dot dylib edn ejs elm env erb erl ex exe exs
    feature fish fs gif go gql gradle graphql groovy gz h haml har hbs hcl heic hpp hs htm html hurl ico
    ics iml ini ino ipynb iso jar java jinja jks jl jpeg jpg js json json5 jsonc jsonl jsx key kt kts kube
    less lock log lua m4 makefile map md mdx mjs mk ml mli mm mod mp3 mp4 msi mts ndjson nim nix nu odt
    orc parquet patch pb pbxproj pdf pem pfx php pid pkl plist png po podspec pot ppt pptx prisma pro
    properties proto ps1 psd pub pug puml py pyc pyi pyx qml r rake rb rego res resx rkt rs rst rules s
    sass sbt scala scss service sh sln so sock sol sql sqlite sqlite3 squashfs stderr stdout storyboard
    sum svelte svg swift tar target tcl templ tex tf tfstate tfvars tgz thrift timer toml tpl ts tsv tsx
    ttf txt vb vbs vcf vhd vhdl vim vsix vue wasm wav webm webp whl woff woff2 wsdl xaml xcconfig
    xcodeproj xhtml xib xls xlsx xml xsd xsl xz yaml yml zig zip zsh zst""".split()
)

# What a noun behind a name, or before it, says that the name is.
KINDS = {
    word: kind
    for kind, line in {
        "project": """service services repo repository project app application microservice monorepo monolith backend
        frontend codebase subproject submodule site website portal""",
        "library": "library lib package crate gem framework dependency sdk plugin middleware orm binding",
        "tool": "cli binary daemon database linter formatter compiler emulator broker",
        "concept": """function method class struct trait interface enum variable constant table column view index
        endpoint route header field parameter param option flag hook decorator macro annotation attribute property
        topic queue secret namespace bucket schema event env type component selector fixture role migration job task
        metric key setting directive label protocol format algorithm mutex stream policy""",
        "error": "error exception errors exceptions warning failure crash panic fault",
        "file": "file folder directory script dir path",
        "pattern": "pattern architecture",
        "convention": "convention style naming",
    }.items()
    for word in line.split()
}

# Parts of a system that a text speaks of by its trade: "the scheduler", "our importer".
PARTS = frozenset(
    """aggregator backend billing checkout compiler crawler dashboard dispatcher downloader exporter
    frontend gateway geocoder importer indexer ingester ingestion mailer monolith notifier onboarding
    orchestrator parser poller provisioner reaper reconciler renderer resolver router scheduler scraper
    serializer storefront thumbnailer transcoder uploader validator watcher worker""".split()
)

# A name in kebab-case that ends so is a program of one's own; that begins or ends so, a package.
OWN_ENDS = frozenset(
    """admin agent android api app backend bff bot cli client collector console consumer controller core
    crawler daemon dashboard engine etl exporter firmware frontend functions gateway hub importer indexer
    infra ingest ingestor ios job jobs lambda lib loader mailer mobile monolith monorepo notifier operator
    pipeline platform portal processor producer proxy router runner scheduler sdk server service
    service-v2 shop site store svc sync syncer ui web webapp worker workers""".split()
)
PACKAGE_STARTS = frozenset(
    """actix angular aws axum babel celery django ember eslint express flake8 flask gatsby golang grunt
    gulp hibernate jackson jest junit karma kotlin kotlinx laravel lib mongo mypy next ngx node nuxt
    passport postcss pytest python rails react redis redux rollup rxjs serde sphinx spring svelte symfony
    tailwind tokio types vite vue webpack""".split()
)
PACKAGE_ENDS = frozenset("rs js py sys loader plugin orm jwt rb".split())
