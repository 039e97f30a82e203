"""Tools and libraries that people name in notes about software. A blank within a name is written as an underscore.

Only names that a text may mean something by: the table is kept by hand, and a name that is also an English word stands
among those that need a capital (Go, Rust, Spring) or backticks (make, time).
"""

from __future__ import annotations

# Programs, servers, languages, services and hardware, that are nothing else in lower case either.
TOOLS = """
.net ack acme.sh actionlint active_directory activemq adb adminer adyen aerospike aider airbyte airflow airtable aiven
akamai alacritty alb alertmanager algolia alpine amazon_linux amazon_rds amazon_s3 amazon_ses amazon_sns amazon_sqs
ambassador amplitude amundsen anacron anchore android android_emulator android_studio ansible ant_design anthropic
antora apache_airflow apache_beam apache_flink apache_kafka apache_spark api_gateway apisix apns app_center
app_store_connect apparmor appium apple_silicon appsync appveyor apt apt-get aptible aqua arangodb archlinux arduino
argo_cd argo_rollouts argo_workflows argocd artifactory artillery.io asana asciidoctor asdf assemblyscript athena
atlantis auditd auth0 autocannon autoconf automake autopep8 avalara awk aws aws_batch aws_cli aws_glue aws_lambda
awscli axiom azure azure_ad azure_blob_storage azure_data_studio azure_devops azure_functions azure_pipelines
azure_sql babel backblaze bamboo barman basecamp bash bazel bazelisk bcc bedrock bigquery bitbucket
bitbucket_pipelines bitrise bitwarden blackbox_exporter blackfire boomi borgbackup boundary bpftrace braintree
brakeman braze brew browserstack btop btrfs bugsnag buildah buildkite buildpacks bull_board burp_suite byobu c# c++
caddy cadvisor calico camunda caprover cargo carthage cassandra ceph cephfs cert-manager certbot changesets chaos_mesh
charles_proxy chatgpt checkmarx checkov checkstyle chezmoi chocolatey chromatic chromedriver chromium cibuildwheel
cilium circle_ci circleci cirrus_ci citus clang clang-format clang-tidy claude claude_code clickhouse
clickhouse_keeper clickup clion clippy clojure cloud_build cloud_functions cloud_run cloud_sql cloudflare
cloudflare_workers cloudformation cloudfront cloudinary cloudnativepg cloudwatch cluster-autoscaler cmake cockroachdb
cocoapods codecov codemagic codepen codeql codesandbox codespell cognito composer conan concourse_ci conda confluence
confluent_cloud containerd contentful coolify copilot coredns corretto cosign cosmos_db cosmosdb couchbase couchdb
cpanel cppcheck crashlytics cron crond crontab crossplane crowdin crowdstrike csvkit ctags cube.js cuda curl cygwin
cypress dagger.io dagster databricks datadog dataflow datagrip datahub dataproc db2 dbeaver dbt dbvisualizer debezium
debian deepl delphi delve deno dependabot detox devcontainer digitalocean directus direnv discord dmesg dnf dnsmasq
docfx docker docker-compose docker_buildx docker_compose docker_desktop docker_hub docker_swarm dockerhub docusaurus
docusign dokku dotnet doxygen dragonfly dragonflydb drawio drone_ci dropbox druid duckdb dvc dynamodb dynatrace
earthly ebs ec2 eclipse ecr ecs edgedb efs eks elasticache elasticsearch elb elixir elk emacs emqx emscripten entra_id
env0 envoy erlang errorprone esbuild eslint eslint_d esp32 esp8266 esphome esptool etcd event_hubs event_store
eventbridge exa excalidraw excel external-dns external-secrets f# fail2ban falco fargate fastlane fastly fcm fd-find
feast fedora ffmpeg ffprobe fiddler figma filebeat fio firebase firebase_cloud_messaging firebase_hosting firecracker
firefox firestore firewalld fivetran flake8 flamegraph flannel flink flit fluent_bit fluentbit fluentd fluxcd fly.io
flyway forgejo freebsd fswatch fsx fullstory fzf gatekeeper gatling gcc gcloud gcp gcs gdb geckodriver gemini gerrit
gha ghidra ghostty gist git git-lfs git_lfs gitea github github_actions github_codespaces github_copilot github_issues
github_pages gitlab gitlab_ci gitleaks gitops gitpod gke glassfish glusterfs gnuplot godoc godot gofmt gogs goland
golang golangci-lint google_analytics google_cloud google_cloud_storage google_drive google_maps google_sheets
google_workspace gopls goreleaser gpg graalvm gradle grafana grafana_loki grafana_tempo graphhopper graphviz gravitee
graylog great_expectations greenplum groovy grpcurl grype gunicorn hadolint hadoop haproxy harbor hardhat hashcat
hashicorp_vault haskell hasura hazelcast hbase headlamp helm heroku hetzner hetzner_cloud hive home-manager
home_assistant homebrew homebrew_cask honeycomb hotjar htop httpie hubspot hugo husky hyper-v hyper.js hypercorn
hyperfine iam_identity_center ibm_cloud ibm_mq imagemagick imgix impala infisical influxdb informix infracost infura
ingress-nginx insomnia intellij intercom ios ipad iperf iphone iptables ipython isort istanbul istio iterm2 jacoco
jaeger java javadoc javascript jboss jdk jdk17 jellyfin jenkins jenkins_x jetbrains jetson jetty jfrog jira jmeter
journalctl journald jq jsdoc jupyter jupyterhub k3d k3s k6 k8s k8slens k9s kafka kafka_connect kafka_streams kafkacat
kaniko karpenter keda keepalived keycloak keydb kibana kinesis klarna kms knative kong kopia kops kotlin kraft krakend
ksqldb kube-proxy kube-state-metrics kubeadm kubeconform kubectl kubectx kubeflow kubelet kubens kubernetes kustomize
kvm kyverno lambdatest latex launchdarkly launchpad lazygit lefthook lerna let's_encrypt lets_encrypt letsencrypt
liberica libtool lightdash lighttpd linear.app linkerd linode lint-staged linux liquibase litestream litmuschaos lldb
localstack logcat logrocket logrotate logstash loki longhorn looker lsof lua lucidchart luigi lxc lxd macbook macos
macports magento mailchimp mailgun mailhog mailpit mandrill mariadb materialize matlab matomo mattermost maturin maven
meilisearch memcached memgraph mermaid.js meson metabase metaflow metallb metasploit metrics-server microk8s
microsoft_teams mikrotik milvus mimir minikube minio mirrord mise mitmproxy mixpanel mkcert mkdocs mlflow mollie
monday.com mongo mongodb mongodb_compass mongodump mongosh mosquitto ms_teams msbuild mssql msys2 mtr mulesoft mypy
mysql mysql_workbench mysqldump nagios nats nats_jetstream neo4j neovim netdata netlify netstat new_relic newrelic
nextcloud nexus_repository nfs nftables nginx nginx_ingress ngrok nifi ninja-build nix nix-shell nixos nlb nmap node
node-gyp node-red node.js node_exporter nodejs nodemon nominatim notion nox npm npx nsight nslookup nsq nuclio nuget
nushell nvidia nvim nvm nx objective-c ocaml octopus_deploy office_365 oh-my-posh oh-my-zsh okta okteto ollama
onedrive onesignal oozie opa openai openapi_generator openebs openfaas opengrok openjdk openlineage opensearch
openshift openssl openstack openstreetmap opentelemetry_collector openvpn openwrt opnsense opsgenie oracle-xe
oracle_cloud oracle_db osquery osrm ovh owasp_zap pacemaker packer pagerduty pandoc parameter_store patroni payara
paypal pdm perl pfsense pg_dump pg_restore pgadmin pgbackrest pgbench pgbouncer pgcat pgcli pgdump pgpool phabricator
php phpmyadmin phpstorm pi-hole pihole pinecone pingdom pinot pip pip-tools pipenv pipx pixi plaid planetscale
plantuml play_console playwright plesk pm2 pmd pnpm podman poetry portainer postfix postgis postgres postgresql
posthog postman postmark power_bi powerpoint powershell pre-commit prefect premake presto prettier procmon prometheus
promtail proxmox proxysql psql pubsub pulsar pulumi purescript pycharm pycodestyle pyenv pyflakes pyinstaller pylint
pypi pyright pyroscope pytest python python3 qdrant qemu questdb rabbitmq railway.app rancher raspberry_pi raspbian
rbenv rclone rdm rds readthedocs redash redhat redis redis-cli redis_cluster redis_sentinel redisinsight redpanda
redshift release-please render.com renderdoc renovate replit repmgr rescript restic retool rider ripgrep risingwave
rke rke2 robo3t robolectric rocksdb rocky_linux rollbar rollup route53 route_53 rstudio rsync rsyslog rubocop ruby
rubymine ruff rundeck rust-analyzer rustc rustdoc rustfmt rustup rvm s3 sagemaker salesforce samba sauce_labs scala
scala.js scaleway scalingo scalr sccache schema_registry scons scylla scylladb sdkman sealed-secrets secrets_manager
sed segment.io selenium selenium_grid selenoid selinux semantic-release semaphore_ci semgrep sendgrid sentry sentry.io
sequel_pro service_bus sharepoint shellcheck shopify sidekiq signoz sigstore singlestore skaffold slack snowflake sns
snyk soda_core solaris solidity solr sonarcloud sonarlint sonarqube sonatype sops sourcegraph sourcehut spacelift
sparkpost sphinx-build spinnaker splunk spotbugs sql_server sqlc sqlcmd sqldeveloper sqlfluff sqlfmt sqlite sqlite3
sqlmap sqlplus sqs squid ssms stackdriver starship statsd step-ca step_functions storybook strace strapi strimzi
stripe structurizr stylelint stylua sublime_text sumo_logic supabase superset supervisord suricata surrealdb svn
swagger swc swift_package_manager swiftformat swiftlint sybase syft syncthing synology sysbench sysdig systemctl
systemd tableau tableplus tailscale talos talosctl taskfile taxjar tcpdump teamcity tekton telegraf telegram
telepresence temporal.io temurin teradata terraform terraform_cloud terragrunt tesseract testflight tfenv tflint tfsec
thanos tilt timescale timescaledb tldr tmux tmuxinator toad tomcat tox toxiproxy traefik travis travis_ci trello trino
trivy truenas tsc tslint turborepo twilio tyk typedoc typescript typesense ubuntu ufw ulimit unbound undertow unleash
upstash uptime_kuma uptimerobot uv uvicorn uvx uwsgi vagrant valgrind valkey varnish vb.net vcpkg vector.dev veeam
vegeta velero vercel vertex_ai vertica victoriametrics vim virtualbox virtualenv visual_studio visual_studio_code vite
vitess vllm vmware volta vonage vs_code vscode vtune vultr wal-e wal-g wasm-pack wasmer wasmtime watchman wazuh
weaviate weblogic webpack websphere webstorm wezterm wget whatsapp wildfly windows_server winget wireguard wiremock
wireshark wkhtmltopdf woodpecker wordpress wrk wsl wsl2 wso2 xargs xcode xcodebuild xcrun xctest xmake yadm yamllint
yapf yarn yarn_berry youtrack yq yugabyte yugabytedb zabbix zapier zeebe zellij zendesk zfs zig zigbee2mqtt zipkin
zookeeper zoxide zsh
"""

# The same, but English words too, so that they need a capital where none is due, a version or backticks.
PROPER_TOOLS = """
access ack ada aider alpine ambassador amplitude amundsen apache aqua arc argo asana athena atlantis atlas aurora
axiom backstage bamboo beam bedrock bison bolt boomi boundary brave braze buck buildpacks bun burp calico cascade
changesets chef chocolatey chrome circle claude clippy cloudera cobol cockroach cognito composer conan concourse
confluence consul coolify copilot cube cursor cypress dart darwin delve detox directus doppler dragonfly drone druid
earthly eclipse elastic element exa excel falco falcon fargate fauna feast fiddler fio flannel fleet flink fly fortran
gatekeeper gatling gemini ghost gist glue go graphite gremlin grep guacamole gulp hack hangfire harbor harness heap
hex hive honeycomb horizon hugo iceberg impala insomnia intercom jasper jetson julia keeper kind kinesis kong kraft
lambda launchpad lighthouse linear locust loki longhorn looker make mastodon materialize mercurial mermaid mimir miro
mise mono nexus node nomad notion octopus opa opera oracle outlook pacemaker pascal phabricator ping pinot pinpoint
plaid plausible postmark prefect presto prolog pulsar puppet quay quicksight r racket railway rancher realm redmine
render restic rider rush rust safari salt samba scheme segment sentinel seq shortcut signal slack slackware snap
snowflake sonar sourcehut spanner spark sphinx spinnaker square squid stack starship sumo swift tableau teams telegraf
telegram telepresence tempo temporal thanos thunderbird tilt travis unbound undertow unity unleash unreal valet
varnish vault vector velero volta waypoint windows woodpecker word xen zed zoom
"""

# Packages and frameworks that are nothing else in lower case either.
LIBRARIES = """
abseil absinthe absl absl-py accelerate actioncable active_storage activeadmin activejob activerecord activiti actix
actix-web administrate aeron ag-grid ag-grid-react agrona aho-corasick aiobotocore aiocache aiofiles aiogram aiohttp
aiokafka aiomysql aioredis aiosqlite ajv ajv-formats akka akka.net akka_http alamofire alembic alpine.js altair
amqplib androidx angular annoy ant-design antd antd-mobile anyhow anyio apache_camel apache_poi apexcharts apollo
apollo-link apollo_client apollo_server appdirs apscheduler apsw archunit argh argon2 argon2-cffi argparse arq
arrow-flight arrow-kt arrow-rs arrow2 asio asp.net asp.net_core assertj astro astropy async-channel async-retry
async-std async-storage async-trait asyncio asyncpg asynq attrs auth.js authlib autofac autofixture autogen automapper
automerge autoprefixer autovalue awaitility awilix axe-core axios axum axum-extra babel-loader babylon.js backbone.js
bandit bbolt bcrypt bcryptjs beanie beautifulsoup beautifulsoup4 bee-queue behave better-auth better-sqlite3 bevy
bidict bigcache bincode bindgen bitsandbytes blaze-persistence blazor bleach bleak blinker bloc blueprinter
body-parser bokeh boltdb boost.asio boringssl boto3 botocore bouncycastle briefcase broadway bubbletea bucket4j bull
bullmq bundler bundlesize bunyan burn bytemuck c3p0 c8 cacheable cachetools cakephp camelot cancancan candle capacitor
capnp capybara carrierwave cartopy catboost catch2 cattrs cayley cbindgen celery_beat certifi cesium cffi cgo chai
chainlit chakra_ui chalk chardet chart.js checker-framework cheerio chokidar chromadb chromedp chronicle-map chrono
chumsky circuitpython clap class-transformer class-validator cleanenv clickhouse-connect cmocka cobra cockatiel
codeigniter codemirror coil colly color-eyre colorama comlink commander.js commons-io commons-lang3 confluent-kafka
connect-go connect-redis contentlayer convict cookie-parser cordova core-js core_data coredata coroutines crewai
criterion cross-fetch crossbeam crossterm cryptography css-loader cssnano csv-parse cucumber cuid cuprite cvxpy
cypress-axe cython cytoolz d3 d3.js dagger_hilt daisyui dapper dapr darglint darling dashmap dask dataclasses
datafusion datashader date-fns dateutil dayjs db-scheduler dbcp2 deck.gl deepdiff deepspeed defmt delayed_job devalue
devise dexie dgraph dialoguer dictdiffer diesel diffusers dioxus discord.py disruptor distutils dj-rest-auth django
django-allauth django-celery-beat django-channels django-debug-toolbar django-filter django-ninja
django-rest-framework django-storages django_rest_framework djangorestframework dnd-kit docopt doctest doctrine
docxtpl doorkeeper dotenv dotenv-flow dpkt dplyr dramatiq drf drift drizzle drizzle-orm drools dry-rb dry-validation
dspy duckdb-engine duende dynaconf easybatch easyocr echarts eclipse-collections eclipselink ecto ef_core egui ehcache
eigen einops elasticsearch-dsl electron element-plus eleventy eloquent embedded-hal ember.js encore enquirer ent.go
entgo entity_framework entity_framework_core env_logger envalid envconfig envers enzyme esbuild-loader ethers.js
eureka evidently ex_unit excelize exceljs execa exoplayer expo expo-router express-session express-validator
express.js fabric.js factory_bot factory_boy faiss fakeiteasy faker fakeredis fast-csv fast-glob fast-xml-parser
fastai fastapi faster-whisper fasthttp fastify fastify-swagger fastrand fastutil faust filelock fiona flashlist flask
flask-cors flask-jwt-extended flask-login flask-migrate flask-restful flask-sqlalchemy flatbuffers flowable
fluentassertions fluentvalidation flurl flutter flyway-core folium folly fonttools formik fpdf framer-motion
framer_motion franz-go freertos freezed freezegun frozendict fs-extra fsspec futures-util ganache gatsby gdal gensim
geopandas getx gevent gin-gonic ginkgo glam glfw glib glibc glide glom go-kit go-micro go-redis gofiber golang-jwt
golang-migrate gomega gomock good_job google_test googletest gopdf goquery gorilla_mux gorilla_websocket gorm gpiozero
gqlgen gradio graph-tool graphene graphene-django graphql-codegen graphql-js graphql-request graphql-ruby graphql_yoga
grdb greenlet groupcache grover grpc-gateway grpc-go grpc-java grpcio gson gtest gtk-rs guava guava-retrying guice
gunicorn-worker guzzle gymnasium h2db h3 hanami handlebars handsontable hangfire hapi hashbrown hatchling haystack-ai
hdbscan headlessui helidon helmet.js hibernate highcharts highlight.js hikaricp hilt hnswlib hocuspocus holoviews hono
hotchocolate hotwire howler.js hsqldb htmlunit httpmock httptools httpx huggingface hvac hydra hydra-core hyper-tls
hypofuzz hypothesis hystrix i18next ibis identityserver igraph imbalanced-learn immer immutable-js immutable.js
immutables indexmap indicatif infinispan inngest inquirer insta interrogate intervaltree inversify invoke io-ts ionic
ioredis isahc itertools itext itsdangerous jackson jackson-core jackson-databind jackson-module-kotlin jasmine javafx
javers jax jaxb jaxrs jbpm jbuilder jctools jdbi jedis jersey-client jest jetpack_compose jimp jinja jinja2 jmh joblib
jobrunr joda-time joi jooq jotai jquery jqwik js-sys jsdom jsonpatch jsonpointer jsonschema jsonwebtoken jsoup jspdf
junit junit5 jupyterlab jwt-go kafka-python kafkajs kafkajs-lib kaminari katex kepler.gl keras keyring keyv kivy knex
koa koanf koin kombu konva kotest kratos ktor kysely lalrpop lancedb langchain langfuse langgraph lapin laravel ldap3
leaflet leafletjs leptos lettuce-core levenshtein libc libcurl libevent libp2p libpq librdkafka librosa libsodium
libuv libvips lightfm lightgbm lighthouse-ci linq2db lipgloss liquibase-core listr2 lit-element litellm liveblocks
liveview livewire llama.cpp llama_index llamaindex lmdb localforage lodash lodash-es log4j log4j2 log4net log4rs
logback logrus loguru lombok lottie lottie-web lucene lucide luxon lwip lxml machinery mantine mapbox mapdb mapster
mapstruct markdown-it marked.js markupsafe maroto marshmallow mass_transit masstransit material-ui material_ui mathjax
matplotlib matter.js mbedtls mdx-js mediatr meilisearch-sdk memchr memmap2 micrometer micronaut micropython miette
mikro-orm mikroorm mimesis mini_magick minimist minitest mjml mkdocs-material mlx mlxtend mmkv mobx mobx-state-tree
mocha mockall mockery mockito mockk mockserver model2vec model_bakery moment-timezone moment.js monaco
mongodb-memory-server mongoengine mongoose mongoose-paginate moq more-itertools moshi mqtt.js msgpack msgspec msw mui
multer musl mutmut mybatis mysql2 mysqlclient naive-ui nalgebra nanobind nanoid nanostores napalm native-tls
nativescript nativewind nats.go nats.js ndarray nest.js nestjs netmiko netty netty-all networkx newtonsoft.json
next-auth next-intl next-pwa next-seo next.js nextjs nicegui nightwatch nlog nltk nock node-config node-cron
node-fetch node-postgres node-rdkafka nodemailer nokogiri nornir nose npgsql nservicebus nsubstitute nswag numba numpy
nunit nunit3 nuxt nuxt-auth nuxt.js nuxtjs nw.js oauthlib oban objection.js ocelot oclif odmantic okhttp okio
omegaconf omniauth onnx onnxruntime openai-python opencv openfeign openiddict openjpa openlayers openmp openpdf
openpyxl opensearch-py openssl-sys opentelemetry opossum optaplanner optuna orjson ortools otel-go p-limit p-queue
p5.js pa11y paddleocr pandas pandera panel papaparse paper.js paperclip paramiko parquet-go partykit passlib
passport-jwt passport.js pdf-lib pdf.js pdfbox pdfkit pdfplumber peewee peft pettingzoo pexpect pg-boss pg-promise
pg8000 pgvector pgx pgxpool phaser phoenix_liveview phpunit picasso pika pikepdf pillow pinia pino pint piscina pitest
pixijs platformdirs playwright-core plotly pluggy plumbum polars polars-rs poltergeist polyfactory popper.js postcss
pouchdb prawn preact prettytable primevue prisma prismjs probe-rs proc-macro2 prophet proptest prosemirror prost
prost-build protobuf-java protobuf.js protoc-gen-go psycopg psycopg2 psycopg3 puma pundit puppeteer puppeteer-core
purgecss pyarrow pyaudio pybind11 pycaret pydantic pydocstyle pydub pyexcel pygame pyjwt pymongo pymupdf pymysql
pynacl pyo3 pyomo pyopenssl pyotp pypdf pypdf2 pyproj pyqt pyqt5 pyrsistent pyserial pyshark pyside pysnmp pyspark
pytesseract pytest-asyncio pytest-cov pytest-django pytest-httpx pytest-mock pytest-xdist python-docx python-dotenv
python-gnupg python-jose python-ldap python-magic python-multipart pytorch pytorch_lightning pyusb pywin32 pyyaml
pyzmq qdrant-client qiskit qrcode qt5 qt6 quarkus quartz-scheduler quartz.net querydsl questionary quick-xml
quickcheck quinn qwik rack-attack radix radix-ui ragas rails rails_admin rake ramda ramda-adjunct rapidfuzz rapidjson
rasterio ratatui ray rayon rdflib rdkafka react react-beautiful-dnd react-datepicker react-dnd react-dom react-email
react-helmet react-hook-form react-hot-toast react-i18next react-intl react-native react-navigation react-pdf
react-query react-redux react-router react-select react-spring react-table react-testing-library react-three-fiber
react-virtualized react-window react.js react_native react_query react_router realm-js realm-swift reanimated rebus
recharts recoil redb redigo redis-om redis-om-node redis-py redisson redux redux-observable redux-persist redux-saga
redux-thunk redux_toolkit refit regl rehype relay-runtime relm4 remark remix reportlab requests-mock requests-oauthlib
reqwest reselect resilience4j respx resque rest-assured resteasy restsharp resty retrofit rhf rimraf ristretto
riverpod rkyv robot_framework rocket.rs rocksdb-rs roda rolify rollup-plugin-visualizer rom-rb roxmltree rspec rtic
ruamel.yaml rubocop-rails ruby-vips ruby_on_rails runtypes rusqlite rustls rxandroid rxdart rxdb rxjava rxjs rxswift
safetensors sanic sarama sass scapy schemathesis scikit-build scikit-image scikit-learn scipy scrapy scss sdl2 sea-orm
seaborn segmentio-kafka select.rs selenide semantic-kernel sentence-transformers sentencepiece sentinel-core sequelize
sequelize-typescript serde serde_json serilog serilog-sinks setuptools setuptools-scm sha2 shadcn shadcn/ui shap
shapely sharedb sharp-cli shedlock sheetjs shelljs shiki shouldly sidekiq-cron sidekiq_pro signalr simdjson simplecov
simplejson simpy sinatra sinon sinon-chai size-limit sklearn sktime slack-sdk slate.js sled slf4j slint slog smbus2
smoltcp snafu snapkit social-auth-core socket.io socketio-client sockjs solidjs solrj sonner sorbet sortedcontainers
sounddevice soundfile spacy sparqlwrapper spdlog specflow spring-amqp spring-cloud-config spring-cloud-gateway
spring-hateoas spring-kafka spring-retry spring-statemachine spring_batch spring_boot spring_cloud spring_data
spring_data_jpa spring_mvc spring_security spring_webflux sprockets sql.js sqlalchemy sqlboiler sqlite-vec sqlmock
sqlmodel sqlx sqlx-cli stable-baselines3 starlette statsforecast statsmodels stencil.js storybook-addon storybook.js
strawberry-graphql streamlit stripe-python structlog structopt style-dictionary styled-components superagent superjson
superstruct supertest supertokens svelte sveltekit swashbuckle swiftui swr sycamore symfony sympy tabula tabulate
tailwind tailwind_css tailwindcss tamagui tanstack tanstack_query tantivy tauri tavern tedious telethon
temporal-polyfill temporal-sdk tenacity tensorflow termion testcafe testcontainers testify testing-library testng
thefuzz thiserror three.js threejs threeten thymeleaf tibble tidyverse tika tiktoken timefold timm tinygrad tiptap
toga togglz tokenizers tokio tokio-postgres tokio-stream tokio-util toml-rs tomli tomlkit tone.js tonic tonic-build
toolz torch torchaudio torchmetrics torchvision tornado tortoise-orm tower-http tower-layer tqdm tracing-subscriber
trailblazer transformers trio-websocket trl trpc truffle trulens ts-jest ts-loader ts-node tsup tsyringe tui-rs
turbo_rails twig twirp two.js typedi typeorm typer uikit ujson umap underscore underscore.js undertow-core undici
uniffi unittest unleash-client unocss unstructured ureq urfave urllib3 urql usearch utoipa uuid-ossp uuid-rs uvloop
valibot valtio vapor vavr vcr.py vcrpy vee-validate vertx viem vitest vue vue-i18n vue-query vue-router vue.js vuejs
vuetify vuetify3 vueuse vuex vulture wagmi wagtail walrus wandb wasm-bindgen watchdog waterline watermelondb watermill
weakref weasyprint web-sys web3.js webargs webdriverio webmock websockets werkzeug wgpu whisper whitenoise wicked_pdf
windicss winforms winit winnow winston wiremock-rs wordllama workerpool wpf xamarin xarray xformers xgboost xhtml2pdf
xlrd xlsxwriter xml2js xstate xstate-react xterm.js xunit xunit.net yargs yarp yii yjs yup yup-ast zap zeitwerk zephyr
zeroconf zerocopy zerolog zeromq zod zustand
"""

# The same, but English words too.
PROPER_LIBRARIES = """
absinthe accelerate administrate agenda alfred annoy anyhow apollo argh ariadne arrow astro automerge backbone badger
bandit behave black bleach blinker bloc bolt boost bootstrap bottle bottleneck briefcase broadway bull bulma bundler
bunyan burn cacheable cadence camel camelot candle capacitor capybara cats celery cesium chai chalk cheerio clerk
click cobra cockatiel coil compose convict coroutines criterion cryptography cucumber dagger darling dash derby devise
diesel disruptor doctrine doorkeeper drift drizzle easybatch echo eigen electron eloquent ember emotion encore
enquirer enzyme eureka evidently express faker falcon faust feign fiber fiona flask flit flow flux folly foundation
freezed gatsby gauge gin glide goose grape graphene grover guava gymnasium handlebars hapi horde huey hydra hyper
hypothesis ibis iced immer immutables ink inquirer insta interrogate invoke ionic istanbul jasmine joi karate karma
keyring kitty leaflet lettuce levenshtein lightning lit locust logos lucia machinery mantine mapbox marked marshmallow
marten mocha mockery moment morgan moto motor napalm nest nightwatch nom nose nuclei ocelot opossum orleans panel
paperclip parcel passport percy pest pexpect phaser phoenix picasso pika pillow pinia pint piscina play plumbum poem
poi polly poltergeist prawn prophet puma pundit pyramid qrcode qt quart quasar questionary quill quinn radix rake ray
raycast react reactor reanimated rebus recoil refinery refit relay remark remix requests responses retrofit ribbon
rich ring ristretto rocket room sails salvo scalar sequel sharp sled slim solid sonner sorbet spock spring sprockets
stencil stimulus stow struts superstruct surf swing sycamore symphony tabulate tapestry tavern tedious tenacity
tesseract textual thefuzz tide tika timefold toga tokenizers tonic tornado tower trailblazer trio turbo turf twig
underscore unicorn unstructured vapor velocity vert.x vulture walrus warden warp watchdog watchman waterline watermill
whisper whitenoise wicket winnow winston wire workerpool yew zap zephyr zio zuul
"""

# Of these, the words that sentences begin with: their capital says nothing there.
STRICT = frozenset(
    """accelerate access ack affinity arrow atlas backstage beam black blade bolt boost bottle boundary
    brave burn cascade cats chef chronicle circle click compose cube cursor dash dream drift drone edge
    element emotion excel express falcon fleet flow flux fly foundation ghost gin go grape grep hack
    harness heap hex hive horde horizon hyper iceberg invoke june keeper kind lighthouse linear logos make
    marked mastodon maze mode mold moment mono motor nano nest notion octopus opera outlook packet panel
    parcel passport pilot ping play presto ray reactor realm recoil relay remix render requests responses
    rich ring rocket rome room rush rust safety sails salt scheme scout segment sentinel seq shortcut
    signal slim snap solid spring square stack stash stencil stimulus summer swing teams temporal textual
    tide tilt tower trio turbo turf unity vector velocity warp waypoint wire word zap zoom""".split()
)

# Other ways to write one name, as normal forms.
ALIASES = dict(
    pair.split("/")
    for pair in """
    postgresql/postgres pg/postgres k8s/kubernetes nodejs/node node.js/node golang/go js/javascript ts/typescript
    reactjs/react react.js/react vuejs/vue vue.js/vue nextjs/next.js nuxtjs/nuxt nuxt.js/nuxt mongo/mongodb
    docker-compose/docker_compose python3/python py/python sklearn/scikit-learn beautifulsoup4/beautifulsoup
    vs_code/vscode visual_studio_code/vscode argo_cd/argocd route_53/route53 circle_ci/circleci travis_ci/travis
    new_relic/newrelic amazon_s3/s3 amazon_sqs/sqs amazon_sns/sns amazon_rds/rds aws_s3/s3 letsencrypt/let's_encrypt
    lets_encrypt/let's_encrypt tailwindcss/tailwind tailwind_css/tailwind material_ui/material-ui mui/material-ui
    django_rest_framework/drf django-rest-framework/drf djangorestframework/drf cosmos_db/cosmosdb gcp/google_cloud
    dockerhub/docker_hub sqlite3/sqlite aws_cli/awscli apache_kafka/kafka apache_airflow/airflow apache_spark/spark
    apache_flink/flink apache_beam/beam hashicorp_vault/vault ms_teams/microsoft_teams react_native/react-native
    react_query/react-query react_router/react-router nest.js/nestjs ruby_on_rails/rails threejs/three.js
    solidjs/solid d3.js/d3 expressjs/express express.js/express websocket/websockets oauth2/oauth
    """.split()
)
